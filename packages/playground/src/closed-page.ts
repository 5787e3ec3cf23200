import { closedPolicy } from './closed-policy.ts'
import { securityHeaders } from './security-headers.ts'

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f3f2ef,#111312);color:light-dark(#1e1d1b,#eceae5);font:400 1rem/1.6 Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
main{max-width:34rem;padding:2rem 1.5rem}
h1{margin:0 0 .75rem;font-size:1.25rem}
p{margin:0 0 .75rem;color:light-dark(#635f58,#a8a59d)}
code{color:light-dark(#1e1d1b,#eceae5);font:.875em 'SF Mono',SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}`

/** What a browser without the right token or the cookie gets: how to get in. It needs no other file, since those are closed too. */
export function writeClosedPage(hasToken: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Playground · StorePort</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${hasToken ? 'This token is not the right one, or no longer' : 'This playground opens with its token'}</h1>
<p>It makes calls with the API key of the shop, so it is closed to everybody who only knows its address.</p>
<p>Open the address that the program printed when it started: it ends in <code>/?token=…</code>. This browser then stays signed in for 30 days.</p>
<p>If that has scrolled away, start the program again (<code>npm start</code>, or the <code>storeport</code> command): it prints the address again, with the same token, which it keeps in the file <code>token</code> of its data folder, <code>.storeport</code> unless you chose another.</p>
</main>
</body>
</html>
`
}

/** Sent with that page: its one style is the only thing that it may have. */
export const closedPageHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'Content-Security-Policy': closedPolicy(style),
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
}
