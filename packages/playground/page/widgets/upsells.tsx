import { useCallback, useEffect, useState } from 'react'
import type { EmailContent } from '../email/email-content.ts'
import { ReadNotice } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useRead } from '../shop/use-read.ts'
import { texts } from '../texts.ts'
import { AbsentWidget } from './absent-widget.tsx'
import { type AcceptedDiscount, DiscountField, type PickedCode } from './discount-field.tsx'
import { ProductCard } from './product-card.tsx'

interface UpsellsProps {
  /** Whether the products are chosen for the customer; otherwise they are the same for everybody. */
  readonly personal: boolean
  /** For the estimated tax; 0 where it is not known. */
  readonly taxRate: number
  readonly picked: PickedCode | null
  /** Called after an add or an undo. */
  readonly onChange: () => void
  readonly onContent: (content: EmailContent) => void
}

/** Product cards in an email. */
export function Upsells(props: UpsellsProps) {
  const { widgets } = useShop()
  const { onContent } = props
  const { ready } = widgets.upsells
  useEffect(() => {
    if (!ready) onContent('something')
  }, [ready, onContent])
  return ready ? <ProductCards {...props} /> : <AbsentWidget widget="upsells" />
}

function ProductCards({ personal, taxRate, picked, onChange, onContent }: UpsellsProps) {
  const { callShop, email } = useShop()
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  const load = useCallback(() => callShop('listProducts', personal ? { email } : {}), [callShop, email, personal])
  const { data, ...read } = useRead(load)
  const isEmpty = data?.products.length === 0
  const isReading = data === null && read.busy

  useEffect(() => {
    if (isEmpty) onContent('nothing')
    else if (!isReading || read.slow) onContent('something')
  }, [isEmpty, isReading, read.slow, onContent])

  // The headline of a shelf says that it is empty.
  if (isEmpty && !personal) return null

  return (
    <section
      className="widget upsells"
      aria-label={personal ? texts.upsells.labelPersonal : texts.upsells.labelGeneral}
      tabIndex={-1}
    >
      <header className="widget-head">
        <h3>{personal ? texts.upsells.labelPersonal : texts.upsells.labelGeneral}</h3>
        {!isEmpty && <DiscountField accepted={discount} onChange={setDiscount} picked={picked} />}
      </header>
      {isReading && !read.slow && <Skeleton rows={3} picture />}
      {data === null && <ReadNotice read={read} />}
      {isEmpty && <p className="soft">{texts.upsells.empty}</p>}
      {data !== null && (
        <ul className="products">
          {data.products.map((product) => (
            <ProductCard key={product.id} {...{ product, discount, taxRate, onChange }} />
          ))}
        </ul>
      )}
    </section>
  )
}
