import type { Discount } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useEffect, useRef, useState } from 'react'
import { sayRate } from '../values/amounts.ts'
import { Icon } from '../parts/icon.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { TextForm } from '../parts/text-form.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { texts } from '../texts/texts.ts'
import { useKeptFocus } from './use-changes.ts'

/** A code that the shop accepts, and what it is worth. */
export interface AcceptedDiscount {
  readonly code: string
  readonly discount: Discount
}

/** The code as a field of an input; nothing where there is none. */
export function codeOf(accepted: AcceptedDiscount | null): { discount_code?: string } {
  return accepted === null ? {} : { discount_code: accepted.code }
}

/** A code that somebody picked outside of the email; a new object for every pick. */
export interface PickedCode {
  readonly code: string
}

/** Where the customer types a discount code: it is looked up before it is used. Shown only when the caller would show it. */
export function DiscountField(props: {
  accepted: AcceptedDiscount | null
  onChange: (accepted: AcceptedDiscount | null) => void
  picked?: PickedCode | null
}) {
  const { announce, callShop, widgets } = useShop()
  const sayOff = useSayOff()
  const { accepted, onChange, picked = null } = props
  const [typed, setTyped] = useState('')
  const click = useClick()
  const seen = useRef<PickedCode | null>(null)
  const place = useRef<HTMLDivElement>(null)
  // The field and the accepted code take turns, and an inbox in front of the email goes.
  const keepFocus = useKeptFocus(place)

  async function lookUp(code: string): Promise<void> {
    if (code.trim() === '') return
    await click.run(async () => {
      const outcome = await callShop('getDiscount', { discount_code: code.trim() })
      change(outcome.ok ? { code: code.trim(), discount: outcome.data } : null)
      if (outcome.ok) announce(texts.discount.accepted(code.trim(), sayOff(outcome.data)))
      return outcome
    })
  }

  function change(to: AcceptedDiscount | null): void {
    keepFocus()
    onChange(to)
  }

  useEffect(() => {
    if (picked === null || picked === seen.current) return
    seen.current = picked
    setTyped(picked.code)
    void lookUp(picked.code)
    // It was picked elsewhere: what comes of it must be in view.
    place.current?.scrollIntoView({ block: 'center' })
  })

  if (!widgets.discounts.ready) return null
  if (accepted !== null) {
    return (
      <div className="discount row" ref={place}>
        <p className="discount-accepted row good">
          <Icon name="tag" />
          <strong className="clip">{accepted.code}</strong> <span>{sayOff(accepted.discount)}</span>
        </p>
        <button
          className="link-button"
          aria-label={texts.discount.removeCode(accepted.code)}
          onClick={() => {
            setTyped('')
            change(null)
          }}
        >
          {texts.discount.remove}
        </button>
      </div>
    )
  }
  return (
    <div className="discount stack" ref={place}>
      <TextForm
        label={texts.discount.label}
        value={typed}
        onType={(value) => {
          setTyped(value)
          click.forget()
        }}
        onSubmit={() => void lookUp(typed)}
        field={{ placeholder: texts.discount.label, autoCapitalize: 'characters' }}
        button={texts.discount.apply}
        off={click.pending}
      />
      <ClickNotice click={click} />
    </div>
  )
}

/** Says what a discount takes off: `20% off`. */
function useSayOff(): (discount: Discount) => string {
  const { digits, sayMoney } = useShop()
  return (discount) =>
    texts.discount.off(
      discount.discount_type === 'percentage'
        ? sayRate(discount.discount_percentage / 100)
        : sayMoney(toMinor(discount.discount_amount, digits)),
    )
}
