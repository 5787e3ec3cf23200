import type { MouseEvent } from 'react'
import { customerText } from '../shop/outcome.ts'
import type { Click } from '../shop/use-click.ts'
import { type Loaded, useSlow } from '../shop/use-load.ts'

/** Message after a failed click, or while a response is late. */
export function ClickNotice({ click: { failure, pending } }: { click: Click }) {
  const slow = useSlow(pending)
  if (slow) {
    return (
      <p className="notice" role="status">
        Still waiting for the shop. Your click has no response yet.
      </p>
    )
  }
  if (failure === null) return null
  return (
    <p className="notice bad" role="alert">
      {customerText(failure)}
    </p>
  )
}

type Problem = Pick<Loaded<unknown>, 'failure' | 'slow' | 'waiting' | 'stop' | 'reload'>

/**
 * A placeholder of `rows` for content that is loading, or a notice about content that failed to load or is late, with a
 * button to retry or to stop waiting.
 */
export function ReadNotice({ read, rows = 0 }: { read: Problem; rows?: number }) {
  const { failure, slow, waiting, stop, reload } = read
  if (waiting && rows > 0)
    return (
      <div role="status" aria-label="Loading">
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className="skeleton-row row" aria-hidden="true">
            <span className="picture" />
            <span className="bone" />
          </div>
        ))}
      </div>
    )
  const text = slow ? 'Still waiting for the shop…' : failure && customerText(failure)
  if (text === null) return null
  function click(event: MouseEvent<HTMLButtonElement>): void {
    // Moves the focus before the button disappears, so that keyboard users do not return to the start of the page.
    event.currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus()
    if (slow) stop()
    else void reload()
  }
  return (
    <div className="notice centered" role="status">
      <p>{text}</p>
      <button type="button" className="link-button" onClick={click}>
        {slow ? 'Stop waiting' : 'Try again'}
      </button>
    </div>
  )
}

/** A placeholder that explains why there is no content. */
export function EmptyPlace({ title, text }: { title: string; text: string }) {
  return (
    <div className="empty-place centered">
      <p className="strong">{title}</p>
      <p className="soft">{text}</p>
    </div>
  )
}
