import { createHash } from 'node:crypto'

const style = `:root{color-scheme:light dark;--page:light-dark(#f3f2ef,#111312);--card:light-dark(#fff,#191b1a);--line:light-dark(#e5e2dd,#2d312f);--text:light-dark(#1e1d1b,#eceae5);--soft:light-dark(#635f58,#a8a59d)}
body{margin:0;min-height:100vh;background:var(--page);color:var(--text);font:1rem/1.6 Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
header{display:flex;gap:.5rem;align-items:center;min-height:3.25rem;padding:0 1rem;border-bottom:1px solid var(--line);background:var(--card);font-size:.875rem;font-weight:600}
header span{color:var(--soft);font-weight:400}
main{max-width:38rem;margin:3rem auto;padding:2rem 1.75rem;border:1px solid var(--line);border-radius:12px;background:var(--card)}
h1{margin:0 0 .75rem;font:500 1.75rem/1.2 'Page Serif',Georgia,'Times New Roman',serif}
p{margin:.75rem 0 0;color:var(--soft)}
code{color:var(--text);font:.875em 'SF Mono',SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}
@media (width<45rem){main{margin:1rem;padding:1.25rem}}`

/**
 * Builds the page with sign-in instructions, and the content security policy that allows only its style. The page loads
 * no files, because all files require the cookie.
 */
export function buildSignInPage(hasToken: boolean) {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Playground · StorePort</title>
<style>${style}</style>
</head>
<body>
<header><svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2f5d4a"/><path d="M7 13h18v10a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2z" fill="#f3e7d8"/><path d="M5.500 13 9 7h14l3.500 6zM14 13h4v12h-4z" fill="#c9a77c"/></svg>StorePort <span>Playground</span></header>
<main>
<h1>${hasToken ? 'This token is invalid' : 'This playground requires a token'}</h1>
<p>The playground sends requests with the API key of the shop. Only people who have the token can use it.</p>
<p>Open the URL that the program printed when it started. It ends in <code>/?token=…</code>. This browser then stays signed in for 30 days.</p>
<p>If you no longer see this URL, start the program again (<code>npm start</code>, or the <code>storeport</code> command). It prints the same URL again. The token is stored in the file <code>token</code> in the data folder, by default <code>.storeport</code>.</p>
</main>
</body>
</html>
`
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return { html, policy }
}
