import { type KeyboardEvent, type ReactNode, useId } from 'react'

/** Tabs with keyboard support for the arrow keys, Home and End. */
export function Tabs<Name extends string>(props: {
  label: string
  names: readonly Name[]
  titles: Readonly<Record<Name, string>>
  open: Name
  onOpen: (name: Name) => void
  children: ReactNode
}) {
  const id = useId()

  function walk(event: KeyboardEvent<HTMLDivElement>): void {
    const at = props.names.indexOf(props.open)
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: props.names.length - 1,
    }
    const step = steps[event.key]
    const name = step === undefined ? undefined : props.names.at(step % props.names.length)
    if (name === undefined) return
    event.preventDefault()
    props.onOpen(name)
    document.getElementById(`${id}-${name}`)?.focus()
  }

  return (
    <>
      <div className="tabs" role="tablist" aria-label={props.label} onKeyDown={walk}>
        {props.names.map((name) => (
          <button
            key={name}
            className="medium"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === props.open}
            aria-controls={`${id}-panel`}
            tabIndex={name === props.open ? 0 : -1}
            onClick={() => props.onOpen(name)}
          >
            {props.titles[name]}
          </button>
        ))}
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${props.open}`}
        tabIndex={0}
      >
        {props.children}
      </div>
    </>
  )
}
