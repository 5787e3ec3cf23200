/** Something that is on or off. */
export function Switch(props: {
  label: string
  on: boolean
  onChange: (on: boolean) => void
  hideLabel?: boolean
  disabled?: boolean
}) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={props.on}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span className="switch-track" aria-hidden="true" />
      <span className={props.hideLabel === true ? 'unseen' : 'switch-label'}>{props.label}</span>
    </label>
  )
}
