import type { ComponentProps, ReactNode } from 'react'

/** A text field with a button. The browser validates the field. */
export function TextForm({
  label,
  button,
  onSubmit,
  isKept = false,
  off = false,
  children,
  ...field
}: {
  label: string
  button: string
  onSubmit: (text: string) => void
  /** Whether the field keeps its text after a submission. */
  isKept?: boolean
  /** Whether a submission is pending. */
  off?: boolean
  children?: ReactNode
} & Omit<ComponentProps<'input'>, 'onSubmit'>) {
  return (
    <form
      className="text-form"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const text = String(new FormData(form).get('text')).trim()
        if (text !== '') onSubmit(text)
        if (!isKept) form.reset()
      }}
    >
      <input
        name="text"
        aria-label={label}
        className="text-field"
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        {...field}
      />
      <button className="small-button" aria-disabled={off}>
        {button}
      </button>
      {children}
    </form>
  )
}
