import { useId } from 'react'
import { type DoubleClick, doubleClicks } from '../../src/protocol.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** Whether each click arrives once, twice at once, or again after its answer was lost. */
export function DoubleClickSwitch(props: { chosen: DoubleClick | null; onChoose: (how: DoubleClick | null) => void }) {
  const { config } = useShop()
  const { chosen } = props
  const id = useId()
  return (
    <fieldset className="twice" aria-describedby={chosen === null ? undefined : `${id}-hint`}>
      <legend>{texts.twice.label}</legend>
      <div className="segments">
        {(['once', ...doubleClicks] as const).map((how) => (
          <label key={how} className="segment">
            <input
              type="radio"
              name={id}
              checked={how === (chosen ?? 'once')}
              onChange={() => props.onChoose(how === 'once' ? null : how)}
            />
            <span>{texts.twice.choices[how]}</span>
          </label>
        ))}
      </div>
      {chosen !== null && (
        <p id={`${id}-hint`} className="soft small">
          {texts.twice.hints[chosen]} {config.data === 'shop' && texts.twice.realShop}
        </p>
      )}
    </fieldset>
  )
}
