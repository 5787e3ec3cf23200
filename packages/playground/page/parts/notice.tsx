import type { MouseEvent } from 'react'
import { customerText } from '../shop/outcome.ts'
import type { Click } from '../shop/use-click.ts'
import { type ReadState, useSlow } from '../shop/use-read.ts'
import { texts } from '../texts/texts.ts'

/** What the customer reads when a click did not work, or when its answer is late. */
export function ClickNotice({ click }: { click: Pick<Click, 'failure' | 'pending'> }) {
  const slow = useSlow(click.pending)
  if (!slow) return <Problem text={click.failure === null ? null : customerText(click.failure)} />
  return (
    <p className="notice" role="status">
      {texts.waiting.click}
    </p>
  )
}

/** Why something did not work. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <p className="notice bad" role="alert">
      {text}
    </p>
  )
}

/** In the place of what cannot be shown: why, and a way to try again; or that it is late, and a way not to wait. */
export function ReadNotice({ read: { failure, slow, giveUp, reload } }: { read: Omit<ReadState<unknown>, 'data'> }) {
  const act = slow ? giveUp : () => void reload()
  const text = slow ? texts.waiting.read : failure && customerText(failure)
  if (text === null) return null
  function click(event: MouseEvent<HTMLButtonElement>): void {
    // The button goes; a keyboard user must not be sent back to the start of the page.
    event.currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus()
    act()
  }
  return (
    <div className="notice quiet" role="status">
      <p>{text}</p>
      <button className="link-button" onClick={click}>
        {slow ? texts.waiting.stop : texts.retry}
      </button>
    </div>
  )
}

/** A place with nothing in it, and why. */
export function EmptyPlace({ title, text }: { title: string; text: string }) {
  return (
    <div className="empty-place">
      <p className="strong">{title}</p>
      <p className="soft">{text}</p>
    </div>
  )
}
