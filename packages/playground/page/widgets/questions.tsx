import {
  addDays,
  addMonths,
  type CurrentSubscription,
  type Product,
  type ProductList,
  type SubscriptionItem,
  toMinor,
} from '@storeport/core'
import { useState } from 'react'
import { ReadNotice } from '../parts/notice.tsx'
import { Picture } from '../parts/pictures.tsx'
import { Question } from '../parts/question.tsx'
import { useShop } from '../shop/shop-context.ts'
import type { Loaded } from '../shop/use-load.ts'
import { keepUnits } from '../texts.ts'
import { estimateTotals } from '../values/amounts.ts'
import { formatDay, formatShortDay } from '../values/days.ts'
import { useDiscountCode } from './discount-field.tsx'
import { listSwapChoices } from './subscription-items.ts'

/** Functions of a dialog about the subscription. */
export interface QuestionProps {
  readonly onClose: () => void
  /** Returns a function that ends the dialog. `say` returns the message about the new subscription. */
  readonly endWith: (say: (now: CurrentSubscription | null) => string) => (hasSucceeded: boolean) => Promise<unknown>
}

/** A dialog to choose a later date. */
export function DelayQuestion({ current, endWith, onClose }: QuestionProps & { current: string }) {
  const { callShop, config, email } = useShop()
  const day = (date: string) => formatDay(config.today, date)
  const tomorrow = addDays(config.today, 1)
  const earliest = current > tomorrow ? current : tomorrow
  const week = addDays(earliest, 7)
  const quick = { '1 week': week, '2 weeks': addDays(week, 7), '1 month': addMonths(earliest, 1) }
  const [chosen, setChosen] = useState(week)

  /** Describes the delay. If the customer has another subscription, its box may now ship first. */
  function describe(now: CurrentSubscription | null): string {
    const next = now?.next_billing_date ?? chosen
    return `Your box moves to ${day(chosen)}.${next === chosen ? '' : ` Your other box ships first, on ${day(next)}.`}`
  }
  return (
    <Question
      title="Delay your next box"
      confirm={chosen < earliest ? 'Move' : `Move to ${formatShortDay(config.today, chosen)}`}
      onConfirm={() => callShop('delaySubscription', { email, new_date: chosen })}
      onEnd={endWith(describe)}
      onClose={onClose}
    >
      <p className="soft">{`Your next box is planned for ${day(current)}.`}</p>
      <div className="wrap" role="radiogroup" aria-label="Delay by">
        {Object.entries(quick).map(([label, date]) => (
          <label key={label} className="small-button choice">
            <input type="radio" name="quick" checked={date === chosen} onChange={() => setChosen(date)} />
            {label}
          </label>
        ))}
      </div>
      <label htmlFor="delay-date" className="small strong">
        Choose a date
      </label>
      <input
        id="delay-date"
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
export function SendNowQuestion(props: QuestionProps & { subscription: CurrentSubscription }) {
  const { subscription, endWith, onClose } = props
  const { callShop, config, digits, email, formatMoney } = useShop()
  const total = formatMoney(estimateTotals(subscription, digits).total)
  const describe = (now: CurrentSubscription | null) => {
    const next = now && ` The next box is planned for ${formatDay(config.today, now.next_billing_date)}.`
    return `Your box is on its way.${next ?? ''}`
  }
  return (
    <Question
      title="Ship your box today?"
      confirm="Yes, ship it now"
      cancel="Not yet"
      onConfirm={() => callShop('sendNow', { email })}
      onEnd={endWith(describe)}
      onClose={onClose}
    >
      <p>{`We will pack your next box now and charge about ${total}. This cannot be undone.`}</p>
    </Question>
  )
}

/** A dialog to swap an item for another product. */
export function SwapQuestion(props: QuestionProps & { item: SubscriptionItem; offers: Loaded<ProductList> }) {
  const { item, endWith, onClose } = props
  const { data, ...read } = props.offers
  const { callShop, digits, email, formatMoney } = useShop()
  const choices = data === null ? [] : listSwapChoices(data.products, item)
  const [picked, setPicked] = useState<Product | null>(null)
  const chosen = picked ?? (choices.length === 1 ? choices[0] : undefined)
  const code = useDiscountCode()
  const question = `Swap ${item.title} for…`
  const price = toMinor(item.price, digits)
  const current = price * item.quantity
  const input = { email, current_item_id: item.id, new_product_id: chosen?.id ?? '', ...code.input }
  return (
    <Question
      title={keepUnits(question)}
      confirm="Swap"
      onConfirm={() => callShop('swapProduct', input)}
      onEnd={endWith(() => `Swapped: ${chosen?.title ?? ''} is in your box now.`)}
      onClose={onClose}
      extra={choices.length > 0 && code.field}
    >
      {data === null && <ReadNotice read={read} rows={3} />}
      {data !== null && choices.length === 0 && <p className="soft">No other products are available.</p>}
      {choices.length > 0 && (
        <p className="soft">
          Current: {item.quantity} × {formatMoney(price)}, {formatMoney(current)} per box.
        </p>
      )}
      <fieldset className="stack">
        <legend className="unseen">{question}</legend>
        {choices.map((product) => {
          const each = toMinor(product.price, digits)
          const full = each * item.quantity
          const off = code.off(full)
          const difference = full - off - current
          const change = `${difference > 0 ? '+' : ''}${formatMoney(difference)} per box`
          const checked = product.id === chosen?.id
          return (
            <label key={product.id} className="swap-choice choice card row">
              <input type="radio" name="swap" required checked={checked} onChange={() => setPicked(product)} />
              <Picture images={product.images} title={product.title} />
              <span className="lines">
                <span className="strong">{keepUnits(product.title)}</span>
                <span className="soft small">
                  {item.quantity} × {formatMoney(each)}
                </span>
              </span>
              <span className="amount lines">
                <span className="strong">
                  {off > 0 && <s className="soft normal">{formatMoney(full)}</s>} {formatMoney(full - off)}
                </span>
                <span className={difference < 0 ? 'small saving' : 'small soft'}>
                  {difference === 0 ? 'same price' : change}
                </span>
              </span>
            </label>
          )
        })}
      </fieldset>
    </Question>
  )
}
