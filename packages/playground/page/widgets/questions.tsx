import { addDays, addMonths, type Product, type ProductList, type SubscriptionItem } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useId, useState } from 'react'
import { amountOff } from '../values/amounts.ts'
import { formatDayFrom, formatShortDay } from '../values/days.ts'
import { ReadNotice } from '../parts/notice.tsx'
import { Picture, Skeleton } from '../parts/pictures.tsx'
import { Question } from '../parts/question.tsx'
import { useShop } from '../shop/shop-context.ts'
import type { ReadState } from '../shop/use-read.ts'
import { keepUnits } from '../texts.ts'
import { type AcceptedDiscount, DiscountField, toDiscountInput } from './discount-field.tsx'
import { listSwapChoices } from './subscription-items.ts'

interface QuestionProps<Result> {
  readonly onClose: () => void
  readonly onRefused: () => Promise<unknown>
  readonly onDone: (result: Result) => Promise<void>
}

/** A dialog to choose a later date. */
export function DelayQuestion({ current, onDone, ...props }: QuestionProps<string> & { current: string }) {
  const { callShop, config, email } = useShop()
  const id = useId()
  const tomorrow = addDays(config.today, 1)
  const earliest = current > tomorrow ? current : tomorrow
  const quick = [
    { date: addDays(earliest, 7), label: '1 week' },
    { date: addDays(earliest, 14), label: '2 weeks' },
    { date: addMonths(earliest, 1), label: '1 month' },
  ]
  const [chosen, setChosen] = useState(addDays(earliest, 7))
  const confirm = chosen < earliest ? 'Move' : `Move to ${formatShortDay(config.today, chosen)}`
  return (
    <Question
      title="Delay your next box"
      confirm={confirm}
      onConfirm={() => callShop('delaySubscription', { email, new_date: chosen })}
      onEnd={(hasSucceeded) => (hasSucceeded ? onDone(chosen) : props.onRefused())}
      onClose={props.onClose}
    >
      <p className="soft">{`Your next box is planned for ${formatDayFrom(config.today, current)}.`}</p>
      <div className="wrap" role="radiogroup" aria-label="Delay by">
        {quick.map(({ date, label }) => (
          <label key={label} className="small-button choice">
            <input type="radio" name="quick" checked={date === chosen} onChange={() => setChosen(date)} />
            {label}
          </label>
        ))}
      </div>
      <label htmlFor={id} className="small strong">
        Choose a date
      </label>
      <input
        id={id}
        type="date"
        className="text-field"
        required
        min={earliest}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
      />
    </Question>
  )
}

/** A dialog that confirms the shipment of the next order. */
export function SendNowQuestion({ total, onDone, ...props }: QuestionProps<void> & { total: number }) {
  const { callShop, email, formatMoney } = useShop()
  return (
    <Question
      title="Ship your box today?"
      confirm="Yes, ship it now"
      cancel="Not yet"
      onConfirm={() => callShop('sendNow', { email })}
      onEnd={(hasSucceeded) => (hasSucceeded ? onDone() : props.onRefused())}
      onClose={props.onClose}
    >
      <p>{`We will pack your next box now and charge about ${formatMoney(total)}. This cannot be undone.`}</p>
    </Question>
  )
}

/** A dialog to swap an item for another product. */
export function SwapQuestion({
  item,
  offers: { data, ...read },
  onDone,
  ...props
}: QuestionProps<string> & { item: SubscriptionItem; offers: ReadState<ProductList> }) {
  const { callShop, digits, email, formatMoney } = useShop()
  const choices = data === null ? [] : listSwapChoices(data.products, item)
  const [picked, setPicked] = useState<Product | null>(null)
  const chosen = picked ?? (choices.length === 1 ? choices[0] : undefined)
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  const price = toMinor(item.price, digits)
  const input = { email, current_item_id: item.id, new_product_id: chosen?.id ?? '', ...toDiscountInput(discount) }
  return (
    <Question
      title={keepUnits(`Swap ${item.title} for…`)}
      confirm="Swap"
      onConfirm={() => callShop('swapProduct', input)}
      onEnd={(hasSucceeded) => (hasSucceeded ? onDone(chosen?.title ?? '') : props.onRefused())}
      onClose={props.onClose}
      extra={choices.length > 0 && <DiscountField accepted={discount} onChange={setDiscount} />}
    >
      {read.waiting && <Skeleton rows={3} />}
      {data === null && <ReadNotice read={read} />}
      {data !== null && choices.length === 0 && <p className="soft">No other products are available.</p>}
      {choices.length > 0 && (
        <p className="soft">
          Current: {item.quantity} × {formatMoney(price)}, {formatMoney(price * item.quantity)} per box.
        </p>
      )}
      <fieldset className="stack">
        <legend className="unseen">{`Swap ${item.title} for…`}</legend>
        {choices.map((product) => (
          <SwapChoice
            key={product.id}
            {...{ product, item, discount }}
            checked={product.id === chosen?.id}
            onChoose={() => setPicked(product)}
          />
        ))}
      </fieldset>
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
  const price = toMinor(product.price, digits)
  const full = price * item.quantity
  const off = amountOff(full, props.discount?.discount ?? null, digits)
  const difference = full - off - toMinor(item.price, digits) * item.quantity
  return (
    <label className="swap-choice choice card">
      <input type="radio" name="swap" required checked={props.checked} onChange={props.onChoose} />
      <Picture images={product.images} title={product.title} />
      <span className="lines">
        <span className="strong">{keepUnits(product.title)}</span>
        <span className="soft small">
          {item.quantity} × {formatMoney(price)}
        </span>
      </span>
      <span className="amount lines">
        <span className="strong">
          {off > 0 && <s>{formatMoney(full)}</s>} {formatMoney(full - off)}
        </span>
        <span className={difference < 0 ? 'small saving' : 'small soft'}>
          {difference === 0 ? 'same price' : `${difference > 0 ? '+' : ''}${formatMoney(difference)} per box`}
        </span>
      </span>
    </label>
  )
}
