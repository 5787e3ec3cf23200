import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import type { Outcome } from '../shop/outcome.ts'
import { useClick } from '../shop/use-click.ts'
import { Icon } from './pictures.tsx'
import { ClickNotice } from './notice.tsx'

/** A modal dialog with a form. The browser validates the fields, traps the focus and restores the focus. */
export function Question(props: {
  title: string
  confirm: string
  cancel?: string
  onConfirm: () => Promise<Outcome<unknown>>
  /** Called with the result, before the dialog shows a failure. */
  onEnd?: (hasSucceeded: boolean) => Promise<unknown>
  onClose: () => void
  children: ReactNode
  /** Content below the form. */
  extra?: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const click = useClick()
  const id = useId()

  useLayoutEffect(() => {
    const place = dialog.current
    place?.showModal()
    // Closes the dialog before React removes it. Otherwise, the browser would not restore the focus.
    return () => place?.close()
  }, [])

  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={props.onClose} {...{ closedby: 'any' }}>
      <div className="dialog-body">
        <header className="between">
          <h2 id={id}>{props.title}</h2>
          <button className="icon-button" aria-label="Close" onClick={props.onClose}>
            <Icon name="cross" size={16} />
          </button>
        </header>
        <div className="dialog-content stack" onChange={click.forget}>
          <form
            id={`${id}-form`}
            className="question stack"
            onSubmit={(event) => {
              event.preventDefault()
              void click.run(props.onConfirm, props.onEnd)
            }}
          >
            {props.children}
          </form>
          {props.extra}
          <ClickNotice click={click} />
        </div>
        <footer className="row ruled">
          <button className="quiet-button" onClick={props.onClose}>
            {props.cancel ?? 'Cancel'}
          </button>
          <button className="main-button" form={`${id}-form`} aria-disabled={click.pending}>
            {props.confirm}
          </button>
        </footer>
      </div>
    </dialog>
  )
}
