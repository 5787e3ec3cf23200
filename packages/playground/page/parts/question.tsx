import { type ReactNode, useEffect, useId, useRef } from 'react'
import { texts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'

/** A modal dialog. Traps the focus, closes with Escape and restores the focus. */
export function Question(props: {
  title: string
  confirm: string
  cancel?: string
  /** Whether the confirm button is disabled. */
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
    // React removes the dialog without closing it, so the browser does not restore the focus.
    return () => {
      const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      // If the element that opened the dialog no longer exists, focuses the changed element or the email.
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
