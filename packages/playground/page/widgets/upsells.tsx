import { buttonLabel, calculatePart, type Product, type ProductList, toMinor } from '@storeport/core'
import { useRef, useState } from 'react'
import { ClickNotice, ReadNotice } from '../parts/notice.tsx'
import { Icon, Picture } from '../parts/pictures.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import type { Loaded } from '../shop/use-load.ts'
import { keepUnits } from '../texts.ts'
import { type AppliedCode, useDiscountCode } from './discount-field.tsx'
import { useRestoredFocus } from './focus.ts'

interface CardProps {
  /** Whether the customer can have a next box. If false, the cards do not offer to add a product only to this box. */
  readonly hasBox: boolean
  /** Tax rate for the estimate; 0 if unknown. */
  readonly taxRate: number
  /** Called after a product is added, or after an addition is undone. */
  readonly onChange: () => void
}

/** Product cards in an email. */
export function Upsells(props: CardProps & { read: Loaded<ProductList>; label: string }) {
  const { data, ...read } = props.read
  const { label, hasBox, taxRate } = props
  const code = useDiscountCode(useShop().picked)
  /** Products that were added. Their cards remain, even if the shop no longer offers products in the subscription. */
  const [added, setAdded] = useState<readonly Product[]>([])
  const listed = data?.products ?? []
  const products = [...added.filter(({ id }) => listed.every((product) => product.id !== id)), ...listed]
  const isEmpty = data !== null && products.length === 0
  function keep(product: Product): void {
    setAdded((before) => [...before.filter(({ id }) => id !== product.id), product])
    props.onChange()
  }
  return (
    <section className="widget upsells ruled" aria-label={label} tabIndex={-1}>
      <header className="widget-head stack">
        <h3>{label}</h3>
        {!isEmpty && code.field}
      </header>
      {data === null && <ReadNotice read={read} rows={3} />}
      {isEmpty && <p className="soft">Nothing to add this time.</p>}
      <ul>
        {products.map((product) => (
          <ProductCard key={product.id} {...{ hasBox, taxRate, product, code }} onChange={() => keep(product)} />
        ))}
      </ul>
    </section>
  )
}

/** A product that can be added with one click, and removed again. */
function ProductCard(props: CardProps & { product: Product; code: AppliedCode }) {
  const { product, hasBox, taxRate } = props
  const { announce, callShop, digits, email, formatMoney, widgets } = useShop()
  const { id, title, description } = product
  const [quantity, setQuantity] = useState(1)
  const [oneTime, setOneTime] = useState(false)
  /** Discount code of the added product; `null` if the product is not added. */
  const [added, setAdded] = useState<AppliedCode | null>(null)
  const click = useClick()
  const actions = useRef<HTMLDivElement>(null)
  const restoreFocus = useRestoredFocus(actions)

  const code = added ?? props.code
  const price = toMinor(product.price, digits)
  const compared = toMinor(product.compare_at_price ?? 0, digits)
  const off = code.off(price * quantity)
  const total = price * quantity - off

  async function add(): Promise<void> {
    const input = { email, product_id: id, quantity, one_time: oneTime, ...code.input }
    if (!(await click.run(() => callShop('addProduct', input)))) return
    change(code, `${quantity === 1 ? `${title} was` : `${quantity} × ${title} were`} added to your order.`)
  }
  async function undo(): Promise<void> {
    if (await click.run(() => callShop('undoAddProduct', { email, product_id: id })))
      change(null, `${title} was removed.`)
  }
  function change(nowAdded: AppliedCode | null, said: string): void {
    restoreFocus()
    setAdded(nowAdded)
    announce(said)
    props.onChange()
  }
  /** A button that changes the quantity, up to 99. The shop may have its own limit. */
  const step = (label: string, text: string, to: number) => {
    const isPossible = to >= 1 && to <= 99
    const set = () => isPossible && setQuantity(to)
    return (
      <button className="icon-button large" aria-label={label} aria-disabled={!isPossible} onClick={set}>
        {text}
      </button>
    )
  }
  return (
    <li className="product stack ruled" aria-busy={click.pending}>
      <Picture images={product.images} title={title} />
      <div className="product-text">
        <h4>{keepUnits(title)}</h4>
        {description !== undefined && <p className="soft">{description}</p>}
        {compared <= price ? (
          <p className="large amount">{formatMoney(price)}</p>
        ) : (
          <p className="large amount">
            <span className="unseen">Now</span> <span className="saving">{formatMoney(price)}</span>{' '}
            <span className="unseen">Was</span> <s className="soft">{formatMoney(compared)}</s>
          </p>
        )}
        {(off > 0 || taxRate > 0) && (
          <p className="soft small wrap">
            {off > 0 && <span className="saving">{`You save ${formatMoney(off)}`}</span>}
            {taxRate > 0 && <span>{`about ${formatMoney(total + calculatePart(total, taxRate))} with tax`}</span>}
          </p>
        )}
      </div>
      <fieldset className="product-choice wrap" disabled={added !== null}>
        <div className="stepper row" role="group" aria-label={`Quantity of ${title}`}>
          {step('One less', '−', quantity - 1)}
          <output aria-live="polite">{quantity}</output>
          {step('One more', '+', quantity + 1)}
        </div>
        {hasBox && (
          <label className="row">
            <input type="checkbox" role="switch" checked={oneTime} onChange={() => setOneTime(!oneTime)} />
            <span>Only in my next box</span>
          </label>
        )}
      </fieldset>
      <div className="product-actions row" ref={actions}>
        {added === null ? (
          <button className="main-button" aria-disabled={click.pending} onClick={add}>
            <span>Add</span>{' '}
            <span className="amount">
              {off > 0 && (
                <s className="normal" aria-hidden="true">
                  {formatMoney(total + off)}
                </s>
              )}{' '}
              {formatMoney(total)} <span className="unseen">{title}</span>
            </span>
          </button>
        ) : (
          <p className="added row accent strong" tabIndex={-1}>
            <Icon name="tick" />
            {quantity === 1 ? 'Added' : `${quantity} added`}
          </p>
        )}
        {added !== null && widgets.upsells.undoButton && (
          <button
            className="quiet-button"
            aria-label={`Undo adding ${title}`}
            aria-disabled={click.pending}
            onClick={undo}
          >
            {buttonLabel('undoButton')}
          </button>
        )}
      </div>
      <ClickNotice click={click} />
    </li>
  )
}
