import { TextForm } from './parts/text-form.tsx'
import { ClickNotice } from './parts/notice.tsx'
import { signIn, toOutcome } from './shop/host.ts'
import { useClick } from './shop/use-click.ts'

/** A form to sign in again without leaving the page. */
export function SignInNotice({ onSignedIn }: { onSignedIn: () => void }) {
  const click = useClick()
  return (
    <section className="bar-notice wrap" aria-label="Sign in">
      <p role="alert">
        <strong>You are signed out.</strong> Open the URL that the program printed when it started, or paste it here. It
        ends in /?token=…
      </p>
      <TextForm
        label="URL with the token, or only the token"
        button="Sign in"
        // Hides the token on shared screens.
        type="password"
        placeholder="/?token=…"
        maxLength={1000}
        isKept
        onChange={click.forget}
        onSubmit={async (typed) => {
          if (await click.run(() => toOutcome(signIn(extractToken(typed)), 'Not signed in'))) onSignedIn()
        }}
      />
      <ClickNotice click={click} />
    </section>
  )
}

/** Returns the token from a URL, or the whole input if it does not contain `token=`. */
function extractToken(typed: string): string {
  return new URLSearchParams(typed.split(/[?#]/)[1]).get('token') ?? typed
}
