import { texts } from '../texts.ts'

/** Says what of the page's address could not be followed. */
export function LinkNotes({ notes, onHide }: { notes: readonly string[]; onHide: () => void }) {
  if (notes.length === 0) return null
  return (
    <div className="bar-notice" role="status">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <button type="button" className="link-button" onClick={onHide}>
        {texts.link.dismiss}
      </button>
    </div>
  )
}
