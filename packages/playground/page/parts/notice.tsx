import { customerText, type Failure } from '../shop/failure.ts'
import { texts } from '../texts.ts'

/** What the customer reads when a click did not work. */
export function FailureNotice({ failure, onRetry }: { failure: Failure | null; onRetry?: () => void }) {
  if (failure === null) return null
  return (
    <p className="notice notice-bad" role="alert">
      <span>{customerText(failure)}</span>
      {onRetry !== undefined && (
        <button type="button" className="link-button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </p>
  )
}

/** A place with nothing in it, and why. */
export function EmptyPlace({ title, text }: { title: string; text: string }) {
  return (
    <div className="empty-place">
      <p className="empty-title">{title}</p>
      <p>{text}</p>
    </div>
  )
}
