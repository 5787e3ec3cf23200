import { useState } from 'react'
import type { CustomAction } from '../../src/protocol.ts'
import { ClickNotice } from '../parts/notice.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { capitalize } from '../texts.ts'

/** Buttons that run the merchant's custom actions. */
export function CustomButtons({ actions }: { actions: readonly CustomAction[] }) {
  if (actions.length === 0) return null
  return (
    <section className="widget" aria-label="Choose">
      <ul className="stack">
        {actions.map((action) => (
          <CustomButton key={action.id} action={action} />
        ))}
      </ul>
    </section>
  )
}

function CustomButton({ action }: { action: CustomAction }) {
  const { announce, callShop, email } = useShop()
  const [done, setDone] = useState(false)
  const click = useClick()
  const label = action.label ?? labelFromId(action.id)

  async function run(): Promise<void> {
    setDone(false)
    if (!(await click.run(() => callShop('runCustomAction', { email, action_id: action.id })))) return
    setDone(true)
    announce(`${label}: done.`)
  }
  return (
    <li className="stack">
      <button className="choice-button between strong" aria-disabled={click.pending} onClick={run}>
        <span>{label}</span>
        <span className="accent">{done ? 'Done' : <span aria-hidden="true">→</span>}</span>
      </button>
      <ClickNotice click={click} />
    </li>
  )
}

/** Derives a label from an action id: `join_waitlist` becomes "Join waitlist". */
function labelFromId(id: string): string {
  const words = id.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? id : capitalize(words)
}
