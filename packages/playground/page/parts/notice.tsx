import type { MouseEvent } from 'react'
import { customerText } from '../shop/failure.ts'
import type { Click } from '../shop/use-click.ts'
import type { ReadState } from '../shop/use-read.ts'
import { useSlow } from '../shop/use-slow.ts'
import { texts } from '../texts.ts'

/** What the customer reads when a click did not work, or when its answer is late. */
export function ClickNotice({ click }: { click: Pick<Click, 'failure' | 'pending'> }) {
  const slow = useSlow(click.pending)
  if (slow) {
    return (
      <p className="notice" role="status">
        {texts.waiting.click}
      </p>
    )
  }
  if (click.failure === null) return null
  return (
    <p className="notice notice-bad" role="alert">
      {customerText(click.failure)}
    </p>
  )
}

/** In the place of what cannot be shown: why, and a way to try again; or that it is late, and a way not to wait. */
export function ReadNotice({ read }: { read: Omit<ReadState<unknown>, 'data'> }) {
  const { failure, slow } = read
  if (slow) return <QuietNotice text={texts.waiting.read} button={texts.waiting.stop} onClick={read.giveUp} />
  if (failure === null) return null
  return <QuietNotice text={customerText(failure)} button={texts.retry} onClick={() => void read.reload()} />
}

function QuietNotice({ text, button, onClick }: { text: string; button: string; onClick: () => void }) {
  function click(event: MouseEvent<HTMLButtonElement>): void {
    // The button goes; a keyboard user must not be sent back to the start of the page.
    event.currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus()
    onClick()
  }
  return (
    <div className="notice notice-quiet" role="status">
      <p>{text}</p>
      <button type="button" className="link-button" onClick={click}>
        {button}
      </button>
    </div>
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
