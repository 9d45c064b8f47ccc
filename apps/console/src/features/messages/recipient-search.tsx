import { useState, type FormEvent } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { SearchField } from 'react-aria-components/SearchField';
import { strings } from '../../strings';

const texts = strings.messages;

/** Finds the messages to an address. Enter searches, because the API needs a complete address. */
export function RecipientSearch({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form role="search" onSubmit={submit}>
      <SearchField className="field" value={text} onChange={setText} onClear={() => onSearch('')}>
        <Label className="field-label">{texts.search}</Label>
        <Input className="input" data-page-search placeholder={texts.searchHint} />
      </SearchField>
    </form>
  );
}
