import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'

/** Display time of a toast without hover or focus, in milliseconds. */
const visibleMs = 8000

/**
 * Returns a row that reports the result of an action, and a function that sets the text of the row. The row is below
 * all panels, so that it does not cover them. Escape or the button in the row dismisses the message.
 */
export function useToast() {
  const [said, setSaid] = useState({ text: '', turn: 0 })
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), [])
  const dismiss = useCallback(() => setSaid(({ turn }) => ({ text: '', turn })), [])
  return { announce, place: <ToastRow text={said.text} turn={said.turn} onDismiss={dismiss} /> }
}

function ToastRow({ text, turn, onDismiss }: { text: string; turn: number; onDismiss: () => void }) {
  const row = useRef<HTMLDivElement>(null)
  const previousFocus = useRef<EventTarget | null>(null)
  const shown = text !== ''

  function dismiss(): void {
    const hadFocus = row.current?.contains(document.activeElement) === true
    onDismiss()
    if (!hadFocus) return
    const back = previousFocus.current
    const place = back instanceof HTMLElement && back.isConnected ? back : document.getElementById('email')
    place?.focus()
  }

  useEffect(() => {
    if (!shown) return
    // The message stays visible while the row has hover or focus.
    const timer = setInterval(() => {
      if (row.current?.matches(':hover, :focus-within') === false) onDismiss()
    }, visibleMs)
    const onKey = (event: KeyboardEvent) => {
      const isFree = !event.defaultPrevented && document.querySelector('dialog[open]') === null
      if (event.key === 'Escape' && isFree) dismiss()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      clearInterval(timer)
      document.removeEventListener('keydown', onKey)
    }
  }, [shown, turn, onDismiss])

  return (
    <div
      className="toast row"
      ref={row}
      onFocus={(event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) previousFocus.current = event.relatedTarget
      }}
    >
      <p className="row" role="status">
        {shown && <Icon name="tick" />}
        {text}
        {/* Adds a no-break space to every second message, because screen readers announce only changes. */}
        {shown && turn % 2 === 1 ? '\u00a0' : ''}
      </p>
      {shown && (
        <button className="icon-button" aria-label={texts.dismiss} title={texts.dismiss} onClick={dismiss}>
          <Icon name="cross" size={16} />
        </button>
      )}
    </div>
  )
}
