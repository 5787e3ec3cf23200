import { type SyntheticEvent, useId, useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** Discount codes to try, and further custom buttons. */
export function TestData(props: { onCode: (code: string) => void; onAction: (action: CustomAction) => void }) {
  const { config, widgets } = useShop()
  const [typed, setTyped] = useState('')
  const id = useId()

  function add(event: SyntheticEvent): void {
    event.preventDefault()
    if (typed.trim() === '') return
    props.onAction({ id: typed.trim() })
    setTyped('')
  }
  return (
    <section className="inbox-section" aria-labelledby={id}>
      <h2 id={id} className="section-title">
        {texts.testData.title}
      </h2>
      {widgets.discounts.ready && config.discountCodes.length > 0 && (
        <div className="test-data">
          <h3>{texts.testData.codes}</h3>
          <p className="soft small">{texts.testData.codesHint}</p>
          <ul className="chips">
            {config.discountCodes.map((code) => (
              <li key={code}>
                <button type="button" className="chip" onClick={() => props.onCode(code)}>
                  {code}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {widgets.customAction.ready && (
        <form className="test-data" onSubmit={add}>
          <h3>{texts.testData.actions}</h3>
          <p className="soft small">{texts.testData.actionsHint}</p>
          <div className="field-row">
            <label className="unseen" htmlFor={`${id}-action`}>
              {texts.testData.actionLabel}
            </label>
            <input
              id={`${id}-action`}
              className="text-field"
              value={typed}
              placeholder={texts.testData.actionLabel}
              maxLength={255}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
            />
            <button type="submit" className="small-button">
              {texts.testData.actionButton}
            </button>
          </div>
        </form>
      )}
    </section>
  )
}
