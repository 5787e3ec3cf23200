import { type SyntheticEvent, useId, useState } from 'react'
import { HostError, signIn } from '../shop/host.ts'
import { texts } from '../texts.ts'

/** Says that this browser must show the token again, and takes it without leaving the page. */
export function SignInNotice({ onSignedIn }: { onSignedIn: () => void }) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()

  async function submit(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const token = tokenIn(typed)
    if (token === '') return
    try {
      await signIn(token)
      onSignedIn()
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      setProblem(error.offline ? texts.signIn.offline : texts.signIn.refused)
    }
  }
  return (
    <section className="bar-notice" aria-label={texts.signIn.button}>
      <p role="alert">
        <strong>{texts.signIn.title}</strong> {texts.signIn.text}
      </p>
      <form className="sign-in" onSubmit={(event) => void submit(event)}>
        <label className="unseen" htmlFor={id}>
          {texts.signIn.label}
        </label>
        {/* Not readable on a screen that is shown around. */}
        <input
          id={id}
          type="password"
          className="text-field"
          placeholder="/?token=…"
          autoComplete="off"
          value={typed}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(null)
          }}
        />
        <button type="submit" className="small-button">
          {texts.signIn.button}
        </button>
      </form>
      {problem !== null && (
        <p id={`${id}-problem`} className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

/** The token of an address, or what was typed. */
function tokenIn(typed: string): string {
  const query = typed.trim().split(/[?#]/)[1] ?? ''
  return new URLSearchParams(query).get('token') ?? typed.trim()
}
