import { useCallback, useState } from 'react'
import { FailureNotice } from '../parts/notice.tsx'
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
}

/** Product cards in an email. */
export function Upsells(props: UpsellsProps) {
  const { widgets } = useShop()
  return widgets.upsells.ready ? <ProductCards {...props} /> : <AbsentWidget widget="upsells" />
}

function ProductCards({ personal, taxRate, picked, onChange }: UpsellsProps) {
  const { callShop, email } = useShop()
  const [discount, setDiscount] = useState<AcceptedDiscount | null>(null)
  const load = useCallback(() => callShop('listProducts', personal ? { email } : {}), [callShop, email, personal])
  const { data, failure, busy, reload } = useRead(load)

  return (
    <section
      className="widget upsells"
      aria-label={personal ? texts.upsells.labelPersonal : texts.upsells.labelGeneral}
    >
      <header className="widget-head">
        <h3>{personal ? texts.upsells.labelPersonal : texts.upsells.labelGeneral}</h3>
        <DiscountField accepted={discount} onChange={setDiscount} picked={picked} />
      </header>
      {data === null && busy && <Skeleton rows={3} picture />}
      {data === null && <FailureNotice failure={failure} onRetry={() => void reload()} />}
      {data !== null && data.products.length === 0 && <p className="soft">{texts.upsells.empty}</p>}
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
