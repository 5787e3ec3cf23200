import { usePage } from './page-context.ts'
import { TextForm } from './parts/controls.tsx'
import { ClickNotice } from './parts/notice.tsx'
import { askHost, useHostProblem } from './shop/host.ts'
import { useClick } from './shop/use-click.ts'

/** Reports that the playground server is down, or asks the user to sign in again without leaving the page. */
export function HostNotice() {
  const { refresh, state } = usePage()
  const problem = useHostProblem()
  const click = useClick()
  if (problem === null) return null
  if (problem === 'offline') {
    return (
      <p className="bar-notice centered bad" role="alert">
        The playground server is not responding. Start it again, then repeat the click.
      </p>
    )
  }
  return (
    <section className="bar-notice centered wrap" aria-label="Sign in">
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
          const token = encodeURIComponent(extractToken(typed).toWellFormed())
          if (!(await click.run(() => askHost(`./?token=${token}`, 'Not signed in')))) return
          refresh('Signed in again.')
          void state.reload()
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
