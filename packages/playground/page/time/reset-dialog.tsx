import { useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { texts } from '../texts.ts'

/** Asks whether to start over; `onReset` answers why it was refused, or `null`. */
export function ResetDialog(props: { onReset: () => Promise<string | null>; onClose: () => void }) {
  const [running, setRunning] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function reset(): Promise<void> {
    if (running) return
    setRunning(true)
    setProblem(null)
    const refused = await props.onReset()
    setRunning(false)
    setProblem(refused)
  }
  return (
    <Dialog
      title={texts.reset.title}
      onClose={props.onClose}
      footer={
        <>
          <button type="button" className="quiet-button" onClick={props.onClose}>
            {texts.reset.cancel}
          </button>
          <button type="button" className="brand-button" aria-disabled={running} onClick={() => void reset()}>
            {running ? texts.reset.running : texts.reset.confirm}
          </button>
        </>
      }
    >
      <p>{texts.reset.text}</p>
      {problem !== null && (
        <p className="notice notice-bad" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
