import type { JSX } from 'preact';

export interface Choice {
  id: string;
  label: string;
  description?: string | null;
  choose(): void;
}

export interface ChoiceList {
  label: string;
  list: Choice[];
  /** Cards with descriptions if true, else chips. */
  isLarge: boolean;
  isDisabled?: boolean;
}

/** Suggested messages that the visitor can send with one click. */
export function Choices({ label, list, isLarge, isDisabled = false }: ChoiceList): JSX.Element | null {
  if (list.length === 0) return null;
  return (
    <ul class={`choices${isLarge ? ' choices-large' : ''}`} aria-label={label}>
      {list.map(({ id, label: text, description, choose }) => (
        <li key={id}>
          <button type="button" class="chip" disabled={isDisabled} onClick={choose} dir="auto">
            <span>{text}</span>
            {isLarge && description && <small>{description}</small>}
          </button>
        </li>
      ))}
    </ul>
  );
}
