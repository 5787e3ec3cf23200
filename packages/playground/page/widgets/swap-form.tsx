import type { Product, ProductList, SubscriptionItem } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useState } from 'react'
import { amountOff } from '../values/amounts.ts'
import { ClickNotice, ReadNotice } from '../parts/notice.tsx'
import { Picture, Skeleton } from '../parts/picture.tsx'
import { Question } from '../parts/question.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import type { ReadState } from '../shop/use-read.ts'
import { texts } from '../texts/texts.ts'
import { type AcceptedDiscount, toDiscountInput, DiscountField } from './discount-field.tsx'
import { listSwapChoices } from './subscription-items.ts'

/** A dialog to swap an item for another product. */
export function SwapQuestion(props: {
  item: SubscriptionItem
  offers: ReadState<ProductList>
  onClose: () => void
  onRefused: () => Promise<unknown>
  onDone: (title: string) => Promise<void>
}) {
  const { callShop, digits, email, formatMoney } = useShop()
  const { item } = props
  const { data, ...read } = props.offers
  const choices = data === null ? [] : listSwapChoices(data.products, item)
  const [picked, setPicked] = useState<Product | null>(null)
  const chosen = picked ?? (choices.length === 1 ? choices[0] : undefined)
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  const click = useClick()
  const price = toMinor(item.price, digits)

  async function swap(): Promise<void> {
    if (chosen === undefined) return
    const input = { email, current_item_id: item.id, new_product_id: chosen.id, ...toDiscountInput(discount) }
    const call = () => callShop('swapProduct', input)
    await click.run(call, (hasSucceeded) => (hasSucceeded ? props.onDone(chosen.title) : props.onRefused()))
  }

  return (
    <Question
      title={texts.swap.title(item.title)}
      confirm={texts.swap.confirm}
      off={chosen === undefined || click.pending}
      onConfirm={swap}
      onClose={props.onClose}
    >
      {read.waiting && <Skeleton rows={3} />}
      {data === null && <ReadNotice read={read} />}
      {data !== null && choices.length === 0 && <p className="soft">{texts.swap.empty}</p>}
      {choices.length > 0 && (
        <>
          <p className="soft">
            {texts.swap.now(`${item.quantity} × ${formatMoney(price)}`, formatMoney(price * item.quantity))}
          </p>
          <fieldset className="stack">
            <legend className="unseen">{texts.swap.title(item.title)}</legend>
            {choices.map((product) => (
              <SwapChoice
                key={product.id}
                product={product}
                item={item}
                discount={discount}
                checked={product.id === chosen?.id}
                onChoose={() => setPicked(product)}
              />
            ))}
          </fieldset>
          <DiscountField accepted={discount} onChange={setDiscount} />
        </>
      )}
      <ClickNotice click={click} />
    </Question>
  )
}

function SwapChoice(props: {
  product: Product
  item: SubscriptionItem
  discount: AcceptedDiscount | null
  checked: boolean
  onChoose: () => void
}) {
  const { digits, formatMoney } = useShop()
  const { product, item } = props
  const full = toMinor(product.price, digits) * item.quantity
  const off = amountOff(full, props.discount?.discount ?? null, digits)
  const difference = full - off - toMinor(item.price, digits) * item.quantity
  return (
    <label className="swap-choice choice card">
      <input type="radio" name="swap" checked={props.checked} onChange={props.onChoose} />
      <Picture images={product.images} title={product.title} />
      <span className="lines">
        <span className="strong">{product.title}</span>
        <span className="soft small">
          {item.quantity} × {formatMoney(toMinor(product.price, digits))}
        </span>
      </span>
      <span className="amount lines">
        <span className="strong">
          {off > 0 && <s>{formatMoney(full)}</s>} {formatMoney(full - off)}
        </span>
        <span className={difference < 0 ? 'small saving' : 'small soft'}>
          {difference === 0
            ? texts.swap.same
            : difference < 0
              ? texts.swap.less(formatMoney(-difference))
              : texts.swap.more(formatMoney(difference))}
        </span>
      </span>
    </label>
  )
}
