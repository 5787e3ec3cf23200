/** A labeled on/off switch. */
export function Switch(props: {
  label: string
  on: boolean
  onChange: (on: boolean) => void
  hideLabel?: boolean
  disabled?: boolean
}) {
  return (
    <label className="row">
      <input
        type="checkbox"
        role="switch"
        checked={props.on}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span className={props.hideLabel === true ? 'unseen' : undefined}>{props.label}</span>
    </label>
  )
}
