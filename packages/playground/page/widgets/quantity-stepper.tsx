import { texts } from '../texts.ts'

/** Most units that the stepper goes to; the shop has a limit of its own. */
const most = 99

/** How many: one less, one more. */
export function QuantityStepper(props: { title: string; quantity: number; onChange: (quantity: number) => void }) {
  const { quantity, onChange } = props
  return (
    <div className="stepper" role="group" aria-label={texts.upsells.quantity(props.title)}>
      <button
        type="button"
        aria-label={texts.upsells.less}
        aria-disabled={quantity <= 1}
        onClick={() => onChange(Math.max(1, quantity - 1))}
      >
        −
      </button>
      <output aria-live="polite">{quantity}</output>
      <button
        type="button"
        aria-label={texts.upsells.more}
        aria-disabled={quantity >= most}
        onClick={() => onChange(Math.min(most, quantity + 1))}
      >
        +
      </button>
    </div>
  )
}
