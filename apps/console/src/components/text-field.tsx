import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { strings } from '../strings';
import { Button } from './button';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'> {
  label: string;
  hint?: string;
  /** What is wrong with the value. */
  problem?: string | undefined;
  placeholder?: string;
}

/** A labelled text field with its hint and its problem. A password can be shown. */
export function TextField({ label, hint, problem, placeholder, type, ...props }: TextFieldProps) {
  const [isShown, setShown] = useState(false);
  const isPassword = type === 'password';
  const input = <Input className="input" {...(placeholder === undefined ? {} : { placeholder })} />;
  return (
    <AriaTextField
      {...props}
      className="field"
      type={isPassword && isShown ? 'text' : (type ?? 'text')}
      {...(problem === undefined ? {} : { isInvalid: true })}
    >
      <Label className="field-label">{label}</Label>
      {isPassword ? (
        <div className="input-group">
          {input}
          <Button
            variant="quiet"
            isIcon
            onPress={() => setShown(!isShown)}
            aria-label={isShown ? strings.actions.hidePassword : strings.actions.showPassword}
          >
            {isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
          </Button>
        </div>
      ) : (
        input
      )}
      {hint !== undefined && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{problem}</FieldError>
    </AriaTextField>
  );
}
