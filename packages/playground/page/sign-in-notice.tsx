import { useState } from 'react'
import { TextForm } from './parts/text-form.tsx'
import { hostMessage, signIn } from './shop/host.ts'
import { texts } from './texts/texts.ts'

/** A form to sign in again without leaving the page. */
export function SignInNotice({ onSignedIn }: { onSignedIn: () => void }) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  async function submit(): Promise<void> {
    const token = extractToken(typed)
    if (token === '') return
    try {
      await signIn(token)
      onSignedIn()
    } catch (error) {
      setProblem(hostMessage(error, { offline: texts.signIn.offline, failed: () => texts.signIn.refused }))
    }
  }
  return (
    <section className="bar-notice wrap" aria-label={texts.signIn.button}>
      <p role="alert">
        <strong>{texts.signIn.title}</strong> {texts.signIn.text}
      </p>
      <TextForm
        label={texts.signIn.label}
        value={typed}
        onType={(value) => {
          setTyped(value)
          setProblem(null)
        }}
        onSubmit={submit}
        problem={problem}
        // Hides the token on shared screens.
        field={{ type: 'password', placeholder: '/?token=…', maxLength: 1000 }}
        button={texts.signIn.button}
      />
    </section>
  )
}

/** Returns the token from a URL, or the whole input if it does not contain `token=`. */
function extractToken(typed: string): string {
  const query = typed.trim().split(/[?#]/)[1] ?? ''
  return new URLSearchParams(query).get('token') ?? typed.trim()
}
