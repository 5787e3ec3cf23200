/** Styles of the API reference. The type, the colors and the controls are those of the playground. */
export const apiPageStyle = `body { font-size: 0.9375rem }
body > header { position: sticky; z-index: 1; top: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 0.5rem; align-items: center; min-height: 3.25rem; padding: 0.5rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--panel) }
header nav { display: flex; gap: 1.25rem; margin-left: auto }
.columns { display: grid; grid-template-columns: 16rem minmax(0, 52rem); gap: 2rem; padding: 1.25rem }
nav.endpoints { position: sticky; top: 4.5rem; align-self: start; margin: 0 }
nav.endpoints a { display: flex; gap: 0.5rem; align-items: center; padding: 0.3125rem 0; text-decoration: none }
nav .method { width: 2.5rem }
a { color: var(--accent) }
h1, h2 { font: 500 1.5rem/1.25 var(--serif); scroll-margin-top: 4.5rem }
h1 { font-size: 2rem }
h3 { margin-top: 1rem }
p { margin: 0.5rem 0 }
main > .card { margin-top: 1.25rem; padding: 1.25rem; background: var(--panel) }
table { width: 100%; margin: 0.75rem 0; border-collapse: collapse; font-size: 0.8125rem }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word }
th { color: var(--soft); font-weight: 500 }
td code { line-height: 1.5 }
label { display: block }
input, textarea { display: block; width: 100%; margin: 0.25rem 0 0.75rem }
pre.code { max-height: none; margin-top: 0.5rem }
.try { margin-top: 1.25rem; padding-top: 1rem; border-top: 1px solid var(--line) }
textarea { border: 1px solid var(--line-strong); resize: vertical }
output:not([hidden]) { display: block; margin-top: 0.75rem }
@media (width < 55rem) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 1rem }
  nav.endpoints { position: static }
  nav.endpoints ul { columns: 2 }
}
@media (width < 35rem) {
  body > header .soft, nav .method, thead { display: none }
  table, tbody, tr, td { display: block }
  tr { padding: 0.5rem 0; border-top: 1px solid var(--line) }
  td { padding: 0; border: 0; overflow-wrap: anywhere }
}
`

/**
 * Script of the API reference. Sends a request with the key in the field. Without a key, the playground sends the request, if
 * the browser is signed in. A request that changes the shop is sent only after a confirmation.
 */
export const apiPageScript = `const { keyHeader, playground } = document.body.dataset
const key = document.querySelector('#key')
const dialog = document.querySelector('dialog')

for (const curl of document.querySelectorAll('.curl')) curl.textContent = curl.textContent.replace('https://shop.example', location.origin)

function confirmChange({ method, effect }) {
  if (method === 'GET') return true
  dialog.querySelector('#effect').textContent = effect
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((resolve) => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send'), { once: true }))
}

async function send({ endpoint, method, path }, input) {
  const headers = { 'Content-Type': 'application/json' }
  if (key.value === '' && playground === 'true') {
    const response = await fetch('/playground/call', { method: 'POST', headers, body: JSON.stringify({ endpoint, input }) })
    if (response.status === 403) return 'Open the playground with the URL that the host prints, or enter an API key.'
    const { response: received, problem } = await response.json()
    return received === null ? problem : received.status + '\\n' + received.body
  }
  const query = method === 'GET' ? '?' + new URLSearchParams(input) : ''
  const body = method === 'GET' ? undefined : JSON.stringify(input)
  const response = await fetch(path + query, { method, headers: { ...headers, [keyHeader]: key.value }, body })
  return response.status + '\\n' + (await response.text())
}

for (const form of document.querySelectorAll('form.try')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const output = form.querySelector('output')
    const show = (text) => { output.hidden = false; output.textContent = text }
    let input
    try {
      input = JSON.parse(form.querySelector('textarea').value)
    } catch {
      return show('The input is not valid JSON.')
    }
    if (await confirmChange(form.dataset)) await send(form.dataset, input).then(show, () => show('The host did not respond.'))
  })
}
`
