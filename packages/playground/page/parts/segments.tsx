import { type ReactNode, useId } from 'react'

/** A choice between a few options. The options are radio buttons, so the browser provides keyboard support. */
export function Segments<Name extends string>(props: {
  label: string
  names: readonly Name[]
  titles: Readonly<Record<Name, ReactNode>>
  chosen: Name
  onChoose: (name: Name) => void
  className?: string
  /** Id of an element that describes the choice. */
  describedBy?: string | undefined
}) {
  const id = useId()
  return (
    <div
      className={props.className ?? 'segments'}
      role="radiogroup"
      aria-label={props.label}
      aria-describedby={props.describedBy}
    >
      {props.names.map((name) => (
        <label key={name} className={`choice to-${name}`}>
          <input type="radio" name={id} checked={name === props.chosen} onChange={() => props.onChoose(name)} />
          {props.titles[name]}
        </label>
      ))}
    </div>
  )
}
