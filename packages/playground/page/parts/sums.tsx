/** A row of amounts: label, formatted amount, and the class of the row. */
export type SumRow = readonly [label: string, amount: string, className?: string]

/** Amounts with their labels, below each other. The last row is the total. */
export function Sums({ rows }: { rows: readonly SumRow[] }) {
  return (
    <dl className="sums ruled">
      {rows.map(([label, amount, className = ''], index) => (
        <div key={label} className={`between ${className}`}>
          <dt className={index === rows.length - 1 ? '' : 'soft normal'}>{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  )
}
