import { type ReactNode, useEffect, useId, useRef } from 'react'
import { texts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'

/** A question in front of everything else: keeps the focus inside, closes with Escape, gives the focus back. */
export function Question(props: {
  title: string
  confirm: string
  cancel?: string
  /** Whether it cannot be confirmed at the moment. */
  off: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    // Taken away rather than closed, so the browser does not give the focus back itself.
    return () => {
      const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      // A link has opened it, or what it was about has gone: to what has changed, or to the start of the email.
      const place = isThere ? opener : (document.querySelector('[data-changed]') ?? document.getElementById('email'))
      if (place instanceof HTMLElement) place.focus()
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        props.onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) props.onClose()
      }}
    >
      <div className="dialog-body">
        <header className="between">
          <h2 id={titleId}>{props.title}</h2>
          <button className="icon-button" aria-label={texts.close} onClick={props.onClose}>
            <Icon name="cross" size={16} />
          </button>
        </header>
        <div className="dialog-content stack">{props.children}</div>
        <footer className="wrap ruled">
          <button className="quiet-button" onClick={props.onClose}>
            {props.cancel ?? texts.cancel}
          </button>
          <button className="main-button" aria-disabled={props.off} onClick={props.onConfirm}>
            {props.confirm}
          </button>
        </footer>
      </div>
    </dialog>
  )
}
