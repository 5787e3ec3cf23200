/** Text for HTML, between tags and in quoted attributes; control characters and half surrogate pairs become visible. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replace(/[^\P{Cc}\n\t]/gu, '\ufffd')
}
