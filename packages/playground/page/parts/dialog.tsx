import { type ReactNode, useEffect, useId, useRef } from 'react'
import { texts } from '../texts.ts'
import { CrossIcon } from './icons.tsx'

/** A question in front of everything else: keeps the focus inside, closes with Escape, gives the focus back. */
export function Dialog(props: { title: string; onClose: () => void; children: ReactNode; footer: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    // Taken away rather than closed, so the browser does not give the focus back itself.
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      className="dialog"
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
        <header className="dialog-head">
          <h2 id={titleId}>{props.title}</h2>
          <button type="button" className="icon-button" aria-label={texts.close} onClick={props.onClose}>
            <CrossIcon />
          </button>
        </header>
        <div className="dialog-content">{props.children}</div>
        <footer className="dialog-foot">{props.footer}</footer>
      </div>
    </dialog>
  )
}
