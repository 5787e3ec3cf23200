import { type ComponentProps, type ReactNode, useId } from 'react'

/** A choice between a few options. The options are radio buttons, so the browser provides keyboard support. */
export function Segments<Name extends string>(props: {
  label: string
  options: readonly (readonly [name: Name, title: ReactNode])[]
  chosen: Name
  onChoose: (name: Name) => void
  className?: string
  /** Id of an element that describes the choice. */
  describedBy?: string | undefined
}) {
  const id = useId()
  const { className = 'segments', label, options, chosen, onChoose, describedBy } = props
  return (
    <div className={className} role="radiogroup" aria-label={label} aria-describedby={describedBy}>
      {options.map(([name, title]) => (
        <label key={name} className={`choice to-${name}`}>
          <input type="radio" name={id} checked={name === chosen} onChange={() => onChoose(name)} />
          {title}
        </label>
      ))}
    </div>
  )
}

/** A text field with a button. The browser validates the field. */
export function TextForm(
  props: Omit<ComponentProps<'input'>, 'onSubmit'> & {
    label: string
    button: string
    onSubmit: (text: string) => void
    /** Whether the field keeps its text after a submission. */
    isKept?: boolean
    pending?: boolean
  },
) {
  const { label, button, onSubmit, isKept = false, pending = false, ...field } = props
  const fixed = { name: 'text', className: 'text-field', autoComplete: 'off', spellCheck: false, required: true }
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        const text = String(new FormData(event.currentTarget).get('text')).trim()
        if (text !== '') onSubmit(text)
        if (!isKept) event.currentTarget.reset()
      }}
    >
      <input {...fixed} aria-label={label} placeholder={label} maxLength={255} {...field} />
      <button className="small-button" aria-disabled={pending}>
        {button}
      </button>
    </form>
  )
}
