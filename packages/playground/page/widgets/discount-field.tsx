import { type Discount, toMinor } from '@storeport/core'
import { useEffect, useRef, useState } from 'react'
import { TextForm } from '../parts/controls.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { Icon } from '../parts/pictures.tsx'
import { type ShopContext, useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { amountOff, formatRate } from '../values/amounts.ts'
import { useRestoredFocus } from './focus.ts'

/** The effect of a discount code on a request and on an amount in minor units. */
export interface AppliedCode {
  /** The code as a field of a request; empty without a code. */
  readonly input: { readonly discount_code?: string }
  /** Returns the discount on an amount. */
  readonly off: (amount: number) => number
}

/**
 * Returns a field that checks a discount code before the code is used, and the code that the shop accepted. `picked` is a code
 * that was selected outside the email.
 */
export function useDiscountCode(picked: ShopContext['picked'] = null) {
  const { announce, callShop, digits, formatMoney, widgets } = useShop()
  const [accepted, setAccepted] = useState<{ readonly code: string; readonly discount: Discount } | null>(null)
  const click = useClick()
  /** Initial code in the field. */
  const [first, setFirst] = useState('')
  const place = useRef<HTMLDivElement>(null)
  // Restores the focus, because the accepted code replaces the focused field, and the field replaces the code.
  const restoreFocus = useRestoredFocus(place)

  async function lookUp(code: string): Promise<void> {
    await click.run(async () => {
      const outcome = await callShop('getDiscount', { discount_code: code })
      restoreFocus()
      setAccepted(outcome.ok ? { code, discount: outcome.data } : null)
      if (outcome.ok) announce(`${code} is applied: ${describeOff(outcome.data)}.`)
      return outcome
    })
  }
  function remove(): void {
    setFirst('')
    restoreFocus()
    setAccepted(null)
  }
  /** Formats a discount, such as `20% off`. */
  function describeOff(discount: Discount): string {
    if (discount.discount_type === 'percentage') return `${formatRate(discount.discount_percentage / 100)} off`
    return `${formatMoney(toMinor(discount.discount_amount, digits))} off`
  }
  useEffect(() => {
    if (picked === null) return
    setFirst(picked.code)
    void lookUp(picked.code)
    // Scrolls to the result, because the code was selected outside the email.
    place.current?.scrollIntoView({ block: 'center' })
  }, [picked])

  const field =
    accepted === null ? (
      <div className="discount stack" ref={place}>
        <TextForm
          key={first}
          label="Discount code"
          button="Apply"
          defaultValue={first}
          autoCapitalize="characters"
          isKept
          pending={click.pending}
          onChange={click.forget}
          onSubmit={(code) => void lookUp(code)}
        />
        <ClickNotice click={click} />
      </div>
    ) : (
      <div className="discount row" ref={place}>
        <p className="discount-accepted row good">
          <Icon name="tag" />
          <strong className="clip">{accepted.code}</strong> <span>{describeOff(accepted.discount)}</span>
        </p>
        <button type="button" className="link-button" aria-label={`Remove ${accepted.code}`} onClick={remove}>
          Remove
        </button>
      </div>
    )
  const applied: AppliedCode = {
    input: accepted === null ? {} : { discount_code: accepted.code },
    off: (amount) => amountOff(amount, accepted?.discount ?? null, digits),
  }
  // The email platform hides the field if the shop does not implement discount codes.
  return { ...applied, field: widgets.discounts.ready && field }
}
