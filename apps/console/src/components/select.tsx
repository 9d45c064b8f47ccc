import { Check, ChevronDown } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

export interface SelectProps<Value extends string> {
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  hint?: string;
  /** The label is only for assistive technology, because the place of the select explains it. */
  isLabelHidden?: boolean;
}

/** One of several options. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, options, value, onChange, hint, isLabelHidden } = props;
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(key) => {
        const option = options.find((each) => each.value === key);
        if (option) onChange(option.value);
      }}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'field-label'}>{label}</Label>
      <AriaButton className="button select-trigger">
        <SelectValue className="grow">{({ selectedText }) => selectedText}</SelectValue>
        <ChevronDown size={16} aria-hidden />
      </AriaButton>
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <Popover className="popover">
        <ListBox className="menu" items={options.map((option) => ({ ...option, id: option.value }))}>
          {(option) => (
            <ListBoxItem className="menu-item" textValue={option.label}>
              {({ isSelected }) => (
                <>
                  {option.label}
                  {isSelected && <Check size={16} className="check-mark" aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
