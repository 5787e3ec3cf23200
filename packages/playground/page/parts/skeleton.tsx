import { texts } from '../texts.ts'

/** Lines in the place of what is still on its way, about as high as what will come. */
export function Skeleton({ rows, picture = false }: { rows: number; picture?: boolean }) {
  return (
    <div className="skeleton" role="status" aria-label={texts.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton-row" aria-hidden="true">
          {picture && <span className="skeleton-picture" />}
          <span className="skeleton-lines">
            <span />
            <span />
          </span>
        </div>
      ))}
    </div>
  )
}
