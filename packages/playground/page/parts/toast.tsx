import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'

/** How long a toast stays when nobody points at it, in milliseconds. */
const staysMs = 8000

/**
 * The one place that says what an action did, and the function that says something there. It is a row below everything
 * else, so that it covers nothing; Escape or its button dismisses it.
 */
export function useToast() {
  const [said, setSaid] = useState({ text: '', turn: 0 })
  const announce = useCallback((text: string) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), [])
  const dismiss = useCallback(() => setSaid(({ turn }) => ({ text: '', turn })), [])
  return { announce, place: <ToastRow text={said.text} turn={said.turn} onDismiss={dismiss} /> }
}

function ToastRow({ text, turn, onDismiss }: { text: string; turn: number; onDismiss: () => void }) {
  const row = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<EventTarget | null>(null)
  const shown = text !== ''

  function dismiss(): void {
    const hadFocus = row.current?.contains(document.activeElement) === true
    onDismiss()
    if (!hadFocus) return
    const back = cameFrom.current
    const place = back instanceof HTMLElement && back.isConnected ? back : document.getElementById('email')
    place?.focus()
  }

  useEffect(() => {
    if (!shown) return
    // Whoever reads it with the mouse or the keyboard on it may take their time.
    const timer = setInterval(() => {
      if (row.current?.matches(':hover, :focus-within') === false) onDismiss()
    }, staysMs)
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
        if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget
      }}
    >
      <p className="row" role="status">
        {shown && <Icon name="tick" />}
        {text}
        {/* The same text said twice is read twice only when something changes. */}
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
