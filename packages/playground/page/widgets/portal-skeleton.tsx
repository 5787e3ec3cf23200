import { texts } from '../texts.ts'

/** In the place of a subscription that is on its way: as high as one with two items, so that little moves when it comes. */
export function PortalSkeleton() {
  return (
    <div className="skeleton" role="status" aria-label={texts.loading}>
      <div className="portal-head" aria-hidden="true">
        <p className="eyebrow">{texts.portal.nextBox}</p>
        <p className="portal-date bone">&nbsp;</p>
        <p className="bone bone-short">&nbsp;</p>
        <div className="portal-buttons">
          <span className="bone bone-button" />
          <span className="bone bone-button" />
        </div>
      </div>
      {[0, 1].map((row) => (
        <div key={row} className="portal-item" aria-hidden="true">
          <span className="skeleton-picture" />
          <span className="skeleton-lines">
            <span />
            <span />
          </span>
        </div>
      ))}
      <div className="totals bone bone-totals" aria-hidden="true" />
    </div>
  )
}
