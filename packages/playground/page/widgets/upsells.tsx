import { useCallback, useState } from 'react'
import { ReadNotice } from '../parts/notice.tsx'
import { Skeleton } from '../parts/picture.tsx'
import { useShop } from '../shop/shop-context.ts'
import { type EmailContent, useContent, useRead } from '../shop/use-read.ts'
import { texts } from '../texts/texts.ts'
import { type AcceptedDiscount, DiscountField, type PickedCode } from './discount-field.tsx'
import { ProductCard } from './product-card.tsx'

/** Product cards in an email. */
export function Upsells(props: {
  /** Whether the products are specific to the customer. */
  personal: boolean
  /** Tax rate for the estimate; 0 if unknown. */
  taxRate: number
  picked: PickedCode | null
  /** Called after an add or an undo. */
  onChange: () => void
  onContent: (content: EmailContent) => void
}) {
  const { personal, taxRate, picked, onChange, onContent } = props
  const { callShop, email } = useShop()
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  const load = useCallback(() => callShop('listProducts', personal ? { email } : {}), [callShop, email, personal])
  const { data, ...read } = useRead(load)
  const isEmpty = data?.products.length === 0
  useContent(read, isEmpty, onContent)

  // In an email that contains only products, the headline explains an empty list.
  if (isEmpty && !personal) return null

  const label = personal ? texts.upsells.labelPersonal : texts.upsells.labelGeneral
  return (
    <section className="widget upsells ruled" aria-label={label} tabIndex={-1}>
      <header className="widget-head">
        <h3>{label}</h3>
        {!isEmpty && <DiscountField accepted={discount} onChange={setDiscount} picked={picked} />}
      </header>
      {read.waiting && <Skeleton rows={3} />}
      {data === null && <ReadNotice read={read} />}
      {isEmpty && <p className="soft">{texts.upsells.empty}</p>}
      <ul>
        {data?.products.map((product) => (
          <ProductCard key={product.id} {...{ product, discount, taxRate, onChange }} />
        ))}
      </ul>
    </section>
  )
}
