import type { Discount } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useEffect, useRef, useState } from 'react'
import { formatRate } from '../values/amounts.ts'
import { Icon } from '../parts/icon.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { TextForm } from '../parts/text-form.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { texts } from '../texts/texts.ts'
import { useRestoredFocus } from './use-changes.ts'

/** A valid discount code with its discount. */
export interface AcceptedDiscount {
  readonly code: string
  readonly discount: Discount
}

/** Returns the code as a field of a request, or an empty object without a code. */
export function toDiscountInput(accepted: AcceptedDiscount | null): { discount_code?: string } {
  return accepted === null ? {} : { discount_code: accepted.code }
}

/** A code that was selected outside the email; a new object for each selection. */
export interface PickedCode {
  readonly code: string
}

/** A field that checks a discount code before the code is used. Hidden if the email platform would hide the field. */
export function DiscountField(props: {
  accepted: AcceptedDiscount | null
  onChange: (accepted: AcceptedDiscount | null) => void
  picked?: PickedCode | null
}) {
  const { announce, callShop, widgets } = useShop()
  const formatDiscount = useFormatDiscount()
  const { accepted, onChange, picked = null } = props
  const [typed, setTyped] = useState('')
  const click = useClick()
  const seen = useRef<PickedCode | null>(null)
  const place = useRef<HTMLDivElement>(null)
  // The field and the accepted code replace each other, which removes the focused element.
  const restoreFocus = useRestoredFocus(place)

  async function lookUp(code: string): Promise<void> {
    if (code.trim() === '') return
    await click.run(async () => {
      const outcome = await callShop('getDiscount', { discount_code: code.trim() })
      change(outcome.ok ? { code: code.trim(), discount: outcome.data } : null)
      if (outcome.ok) announce(texts.discount.accepted(code.trim(), formatDiscount(outcome.data)))
      return outcome
    })
  }

  function change(to: AcceptedDiscount | null): void {
    restoreFocus()
    onChange(to)
  }

  useEffect(() => {
    if (picked === null || picked === seen.current) return
    seen.current = picked
    setTyped(picked.code)
    void lookUp(picked.code)
    // Scrolls to the result, because the code was selected outside the email.
    place.current?.scrollIntoView({ block: 'center' })
  })

  if (!widgets.discounts.ready) return null
  if (accepted !== null) {
    return (
      <div className="discount row" ref={place}>
        <p className="discount-accepted row good">
          <Icon name="tag" />
          <strong className="clip">{accepted.code}</strong> <span>{formatDiscount(accepted.discount)}</span>
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

/** Returns a function that formats a discount, such as `20% off`. */
function useFormatDiscount(): (discount: Discount) => string {
  const { digits, formatMoney } = useShop()
  return (discount) =>
    texts.discount.off(
      discount.discount_type === 'percentage'
        ? formatRate(discount.discount_percentage / 100)
        : formatMoney(toMinor(discount.discount_amount, digits)),
    )
}
