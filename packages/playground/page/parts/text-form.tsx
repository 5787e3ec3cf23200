import { type ComponentProps, useId } from 'react'

/** A text field with a label for screen readers, a submit button and an error message. */
export function TextForm(props: {
  label: string
  value: string
  onType: (value: string) => void
  /** Called on submit, with the result of the browser's validation of the field. */
  onSubmit: (isValid: boolean) => void
  button: string
  /** Whether a submission is pending. */
  off?: boolean
  problem?: string | null
  /** Additional attributes of the `<input>` element. */
  field?: Omit<ComponentProps<'input'>, 'onChange' | 'value'>
}) {
  const { problem = null } = props
  const id = useId()
  return (
    <form
      className="text-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit(event.currentTarget.checkValidity())
      }}
    >
      <label className="unseen" htmlFor={id}>
        {props.label}
      </label>
      <input
        id={id}
        className="text-field"
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        {...props.field}
        value={props.value}
        onChange={(event) => props.onType(event.target.value)}
      />
      <button type="submit" className="small-button" aria-disabled={props.off}>
        {props.button}
      </button>
      {problem !== null && (
        <p id={`${id}-problem`} className="field-problem small" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
