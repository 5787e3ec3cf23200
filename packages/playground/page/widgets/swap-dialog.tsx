import { type Product, ProductList, type SubscriptionItem } from '@storeport/core'
import { toMinor, wireItemId } from '@storeport/rules'
import { useCallback, useState } from 'react'
import { amountOff } from '../amounts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/notice.tsx'
import { Picture } from '../parts/picture.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import type { Outcome } from '../shop/failure.ts'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { useRead } from '../shop/use-read.ts'
import { texts } from '../texts.ts'
import { type AcceptedDiscount, DiscountField } from './discount-field.tsx'

/** Asks what an item becomes. */
export function SwapDialog(props: {
  item: SubscriptionItem
  onClose: () => void
  onRefused: () => Promise<void>
  onDone: (title: string) => Promise<void>
}) {
  const { callShop, email } = useShop()
  const { item } = props
  const { data, failure, busy, reload } = useRead(useOffers(item))
  const [chosen, setChosen] = useState<Product | null>(null)
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  const click = useClick()

  async function swap(): Promise<void> {
    if (chosen === null) return
    const input = { email, current_item_id: item.id, new_product_id: chosen.id }
    const code = discount === null ? {} : { discount_code: discount.code }
    await click.run(async () => {
      const outcome = await callShop('swapProduct', { ...input, ...code })
      await (outcome.ok ? props.onDone(chosen.title) : props.onRefused())
      return outcome
    })
  }

  return (
    <Dialog
      title={texts.swap.title(item.title)}
      onClose={props.onClose}
      footer={
        <>
          <button type="button" className="quiet-button" onClick={props.onClose}>
            {texts.cancel}
          </button>
          <button
            type="button"
            className="brand-button"
            aria-disabled={chosen === null || click.pending}
            onClick={() => void swap()}
          >
            {texts.swap.confirm}
          </button>
        </>
      }
    >
      {data === null && busy && <Skeleton rows={3} picture />}
      {data === null && <FailureNotice failure={failure} onRetry={() => void reload()} />}
      {data?.products.length === 0 && <p className="soft">{texts.swap.empty}</p>}
      {data !== null && data.products.length > 0 && (
        <>
          <fieldset className="swap-choices">
            <legend className="unseen">{texts.swap.title(item.title)}</legend>
            {data.products.map((product) => (
              <SwapChoice
                key={product.id}
                product={product}
                quantity={item.quantity}
                discount={discount}
                checked={product.id === chosen?.id}
                onChoose={() => setChosen(product)}
              />
            ))}
          </fieldset>
          <DiscountField accepted={discount} onChange={setDiscount} />
        </>
      )}
      <FailureNotice failure={click.failure} />
    </Dialog>
  )
}

function SwapChoice(props: {
  product: Product
  quantity: number
  discount: AcceptedDiscount | null
  checked: boolean
  onChoose: () => void
}) {
  const { digits, sayMoney } = useShop()
  const { product, quantity } = props
  const full = toMinor(product.price, digits) * quantity
  const off = amountOff(full, props.discount?.discount ?? null, digits)
  return (
    <label className="swap-choice">
      <input type="radio" name="swap" checked={props.checked} onChange={props.onChoose} />
      <Picture images={product.images} title={product.title} />
      <span className="swap-text">
        <span>{product.title}</span>
        <span className="soft small">
          {quantity} × {sayMoney(toMinor(product.price, digits))}
        </span>
      </span>
      <span className="amount">
        {off > 0 && <s className="soft">{sayMoney(full)}</s>} {sayMoney(full - off)}
      </span>
    </label>
  )
}

/** What everybody is offered, without the product that the item is: an item is named by its product. */
function useOffers(item: SubscriptionItem): () => Promise<Outcome<ProductList>> {
  const { callShop } = useShop()
  return useCallback(async () => {
    const listed = await callShop('listProducts', {})
    if (!listed.ok) return listed
    return { ...listed, data: { products: listed.data.products.filter(({ id }) => !isNamedBy(item, id)) } }
  }, [callShop, item])
}

function isNamedBy(item: SubscriptionItem, product_id: string): boolean {
  return [false, true].some((one_time) => item.id === wireItemId({ product_id, one_time }))
}
