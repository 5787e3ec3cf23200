import { Dialog } from '../parts/dialog.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { texts } from '../texts.ts'

/** Asks before the next order is shipped. */
export function SendNowDialog(props: {
  total: number
  onClose: () => void
  onRefused: () => Promise<unknown>
  onDone: () => Promise<void>
}) {
  const { callShop, email, sayMoney } = useShop()
  const click = useClick()

  async function send(): Promise<void> {
    await click.run(async () => {
      const outcome = await callShop('sendNow', { email })
      // Inside the click, so that no second one can be made before this dialog has gone.
      await (outcome.ok ? props.onDone() : props.onRefused())
      return outcome
    })
  }
  return (
    <Dialog
      title={texts.sendNow.title}
      onClose={props.onClose}
      footer={
        <>
          <button type="button" className="quiet-button" onClick={props.onClose}>
            {texts.sendNow.cancel}
          </button>
          <button type="button" className="brand-button" aria-disabled={click.pending} onClick={() => void send()}>
            {texts.sendNow.confirm}
          </button>
        </>
      }
    >
      <p>{texts.sendNow.text(sayMoney(props.total))}</p>
      <ClickNotice click={click} />
    </Dialog>
  )
}
