import { type Product, type ProductList, buttonLabel } from '@storeport/core'
import { useState, useRef } from 'react'
import { ReadNotice, ClickNotice } from '../parts/notice.tsx'
import { Skeleton, Icon, Picture } from '../parts/pictures.tsx'
import type { ReadState } from '../shop/use-read.ts'
import { type AcceptedDiscount, DiscountField, type PickedCode, toDiscountInput } from './discount-field.tsx'
import { toMinor } from '@storeport/rules'
import { amountOff, applyRate } from '../values/amounts.ts'
import { Switch } from '../parts/switch.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { keepUnits } from '../texts.ts'
import { useRestoredFocus } from './focus.ts'

/** Product cards in an email. */
export function Upsells({
  read: { data, ...read },
  label,
  hasBox,
  taxRate,
  picked,
  onChange,
}: {
  read: ReadState<ProductList>
  label: string
  /** Whether the customer can have a next box. If false, the cards do not offer to add a product only to this box. */
  hasBox: boolean
  /** Tax rate for the estimate; 0 if unknown. */
  taxRate: number
  picked: PickedCode | null
  /** Called after a product is added, or after an addition is undone. */
  onChange: () => void
}) {
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  /**
   * Products that were added. Their cards remain, even if the shop no longer offers products that are in the
   * subscription.
   */
  const [added, setAdded] = useState<readonly Product[]>([])
  const listed = data?.products ?? []
  const products = [...added.filter(({ id }) => listed.every((product) => product.id !== id)), ...listed]
  const isEmpty = data !== null && products.length === 0
  return (
    <section className="widget upsells ruled" aria-label={label} tabIndex={-1}>
      <header className="widget-head">
        <h3>{label}</h3>
        {!isEmpty && <DiscountField accepted={discount} onChange={setDiscount} picked={picked} />}
      </header>
      {read.waiting && <Skeleton rows={3} />}
      {data === null && <ReadNotice read={read} />}
      {isEmpty && <p className="soft">Nothing to add this time.</p>}
      <ul>
        {products.map((product) => (
          <ProductCard
            key={product.id}
            {...{ product, discount, hasBox, taxRate }}
            onChange={() => {
              setAdded((before) => [...before.filter(({ id }) => id !== product.id), product])
              onChange()
            }}
          />
        ))}
      </ul>
    </section>
  )
}

/** A product that can be added with one click, and removed again. */
export function ProductCard(props: {
  product: Product
  discount: AcceptedDiscount | null
  hasBox: boolean
  taxRate: number
  onChange: () => void
}) {
  const { product, taxRate } = props
  const { announce, callShop, digits, email, formatMoney, widgets } = useShop()
  const [quantity, setQuantity] = useState(1)
  const [oneTime, setOneTime] = useState(false)
  /** Discount code of the added product; `null` for none, `undefined` if the product is not added. */
  const [added, setAdded] = useState<AcceptedDiscount | null | undefined>()
  const click = useClick()
  const actions = useRef<HTMLDivElement>(null)
  const restoreFocus = useRestoredFocus(actions)

  const discount = added === undefined ? props.discount : added
  const full = toMinor(product.price, digits) * quantity
  const off = amountOff(full, discount?.discount ?? null, digits)
  const total = full - off

  async function add(): Promise<void> {
    const input = { email, product_id: product.id, quantity, one_time: oneTime, ...toDiscountInput(discount) }
    if (await click.run(() => callShop('addProduct', input))) change(discount, describeAdd(product.title, quantity))
  }
  async function undo(): Promise<void> {
    if (await click.run(() => callShop('undoAddProduct', { email, product_id: product.id })))
      change(undefined, `${product.title} was removed.`)
  }
  function change(nowAdded: AcceptedDiscount | null | undefined, said: string): void {
    restoreFocus()
    setAdded(nowAdded)
    announce(said)
    props.onChange()
  }

  return (
    <li className="product" aria-busy={click.pending}>
      <Picture images={product.images} title={product.title} />
      <div className="product-text">
        <h4>{keepUnits(product.title)}</h4>
        {product.description !== undefined && <p className="soft">{product.description}</p>}
        <Price product={product} />
        {(off > 0 || taxRate > 0) && (
          <p className="soft small wrap">
            {off > 0 && <span className="saving">{`You save ${formatMoney(off)}`}</span>}
            {taxRate > 0 && <span>{`about ${formatMoney(total + applyRate(total, taxRate))} with tax`}</span>}
          </p>
        )}
      </div>
      <fieldset className="product-choice wrap" disabled={added !== undefined}>
        <QuantityStepper title={product.title} quantity={quantity} onChange={setQuantity} />
        {props.hasBox && <Switch label="Only in my next box" on={oneTime} onChange={setOneTime} />}
      </fieldset>
      <div className="product-actions row" ref={actions}>
        {added !== undefined ? (
          <>
            <p className="added row accent strong" tabIndex={-1}>
              <Icon name="tick" />
              {quantity === 1 ? 'Added' : `${quantity} added`}
            </p>
            {widgets.upsells.undoButton && (
              <button
                className="quiet-button"
                aria-label={`Undo adding ${product.title}`}
                aria-disabled={click.pending}
                onClick={undo}
              >
                {buttonLabel('undoButton')}
              </button>
            )}
          </>
        ) : (
          <button className="main-button" aria-disabled={click.pending} onClick={add}>
            <span>Add</span>{' '}
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

function describeAdd(title: string, quantity: number): string {
  return quantity === 1 ? `${title} was added to your order.` : `${quantity} × ${title} were added to your order.`
}

function Price({ product }: { product: Product }) {
  const { digits, formatMoney } = useShop()
  const price = toMinor(product.price, digits)
  const compared = toMinor(product.compare_at_price ?? 0, digits)
  if (compared <= price) return <p className="large amount">{formatMoney(price)}</p>
  return (
    <p className="large amount">
      <span className="unseen">Now</span> <span className="saving">{formatMoney(price)}</span>{' '}
      <span className="unseen">Was</span> <s>{formatMoney(compared)}</s>
    </p>
  )
}

/** Maximum quantity of the stepper. The shop may have its own limit. */
const most = 99

/** Buttons that change the quantity. */
function QuantityStepper(props: { title: string; quantity: number; onChange: (quantity: number) => void }) {
  const { quantity, onChange } = props
  return (
    <div className="stepper" role="group" aria-label={`Quantity of ${props.title}`}>
      <button
        className="icon-button"
        aria-label="One less"
        aria-disabled={quantity <= 1}
        onClick={() => onChange(Math.max(1, quantity - 1))}
      >
        −
      </button>
      <output aria-live="polite">{quantity}</output>
      <button
        className="icon-button"
        aria-label="One more"
        aria-disabled={quantity >= most}
        onClick={() => onChange(Math.min(most, quantity + 1))}
      >
        +
      </button>
    </div>
  )
}
