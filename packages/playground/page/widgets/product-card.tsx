import { buttonLabel, type Product } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useRef, useState } from 'react'
import { amountOff, applyRate } from '../values/amounts.ts'
import { Icon } from '../parts/icon.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { Picture } from '../parts/picture.tsx'
import { Switch } from '../parts/switch.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { texts } from '../texts/texts.ts'
import { type AcceptedDiscount, toDiscountInput } from './discount-field.tsx'
import { useRestoredFocus } from './use-changes.ts'

/** A product that can be added with one click, and removed again. */
export function ProductCard(props: {
  product: Product
  discount: AcceptedDiscount | null
  taxRate: number
  onChange: () => void
}) {
  const { product, discount, taxRate } = props
  const { announce, callShop, digits, email, formatMoney, widgets } = useShop()
  const [quantity, setQuantity] = useState(1)
  const [oneTime, setOneTime] = useState(false)
  const [added, setAdded] = useState(0)
  const click = useClick()
  const actions = useRef<HTMLDivElement>(null)
  const restoreFocus = useRestoredFocus(actions)

  const full = toMinor(product.price, digits) * quantity
  const off = amountOff(full, discount?.discount ?? null, digits)
  const total = full - off

  async function add(): Promise<void> {
    const input = { email, product_id: product.id, quantity, one_time: oneTime, ...toDiscountInput(discount) }
    if (await click.run(() => callShop('addProduct', input)))
      change(quantity, texts.upsells.announceAdded(product.title, quantity))
  }

  async function undo(): Promise<void> {
    if (await click.run(() => callShop('undoAddProduct', { email, product_id: product.id })))
      change(0, texts.upsells.undone(product.title))
  }

  function change(nowAdded: number, said: string): void {
    restoreFocus()
    setAdded(nowAdded)
    announce(said)
    props.onChange()
  }

  return (
    <li className="product" aria-busy={click.pending}>
      <Picture images={product.images} title={product.title} />
      <div className="product-text">
        <h4>{product.title}</h4>
        {product.description !== undefined && <p className="soft">{product.description}</p>}
        <Price product={product} />
        {(off > 0 || taxRate > 0) && (
          <p className="soft small wrap">
            {off > 0 && <span className="saving">{texts.upsells.saves(formatMoney(off))}</span>}
            {taxRate > 0 && <span>{texts.upsells.withTax(formatMoney(total + applyRate(total, taxRate)))}</span>}
          </p>
        )}
      </div>
      <fieldset className="product-choice" disabled={added > 0}>
        <QuantityStepper title={product.title} quantity={quantity} onChange={setQuantity} />
        <Switch label={texts.upsells.onlyNext} on={oneTime} onChange={setOneTime} />
      </fieldset>
      <div className="product-actions row" ref={actions}>
        {added > 0 ? (
          <>
            <p className="added row accent strong" tabIndex={-1}>
              <Icon name="tick" />
              {texts.upsells.added(added)}
            </p>
            {widgets.upsells.undoButton && (
              <button
                className="quiet-button"
                aria-label={texts.upsells.undoProduct(product.title)}
                aria-disabled={click.pending}
                onClick={undo}
              >
                {buttonLabel('undoButton')}
              </button>
            )}
          </>
        ) : (
          <button className="main-button" aria-disabled={click.pending} onClick={add}>
            <span>{texts.upsells.add}</span>{' '}
            <span className="amount">
              {off > 0 && <s aria-hidden="true">{formatMoney(full)}</s>} {formatMoney(total)}{' '}
              <span className="unseen">{product.title}</span>
            </span>
          </button>
        )}
      </div>
      <ClickNotice click={click} />
    </li>
  )
}

function Price({ product }: { product: Product }) {
  const { digits, formatMoney } = useShop()
  const price = toMinor(product.price, digits)
  const compared = toMinor(product.compare_at_price ?? 0, digits)
  if (compared <= price) return <p className="large amount">{formatMoney(price)}</p>
  return (
    <p className="large amount">
      <span className="unseen">{texts.upsells.now}</span> <span className="saving">{formatMoney(price)}</span>{' '}
      <span className="unseen">{texts.upsells.was}</span> <s>{formatMoney(compared)}</s>
    </p>
  )
}

/** Maximum quantity of the stepper. The shop may have its own limit. */
const most = 99

/** Buttons that change the quantity. */
function QuantityStepper(props: { title: string; quantity: number; onChange: (quantity: number) => void }) {
  const { quantity, onChange } = props
  return (
    <div className="stepper" role="group" aria-label={texts.upsells.quantity(props.title)}>
      <button
        className="icon-button"
        aria-label={texts.upsells.less}
        aria-disabled={quantity <= 1}
        onClick={() => onChange(Math.max(1, quantity - 1))}
      >
        −
      </button>
      <output aria-live="polite">{quantity}</output>
      <button
        className="icon-button"
        aria-label={texts.upsells.more}
        aria-disabled={quantity >= most}
        onClick={() => onChange(Math.min(most, quantity + 1))}
      >
        +
      </button>
    </div>
  )
}
