import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { classNames } from './class-names';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  variant?: 'default' | 'primary' | 'danger' | 'quiet';
  /** The width of a square button that contains only an icon; it needs `aria-label`. */
  isIcon?: boolean;
  isWide?: boolean;
  className?: string;
  children: ReactNode;
}

/** A button. With `isPending` it shows that its action runs, and does nothing. */
export function Button({ variant = 'default', isIcon, isWide, className, children, ...props }: ButtonProps) {
  return (
    <AriaButton
      {...props}
      className={classNames(
        'button',
        variant !== 'default' && `button-${variant}`,
        isIcon && 'button-icon',
        isWide && 'button-wide',
        className,
      )}
    >
      {({ isPending }) => (
        <>
          {isPending && <span className="spinner" aria-hidden="true" />}
          {isPending && isIcon ? null : children}
        </>
      )}
    </AriaButton>
  );
}
