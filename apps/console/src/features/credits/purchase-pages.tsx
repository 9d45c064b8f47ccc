import { Link } from '@tanstack/react-router';
import { Gate } from '../auth/gate';
import { strings } from '../../strings';

const texts = strings.purchases;

/** The page to which the payment page leads after a payment. It needs no session and reveals nothing about the purchase. */
export function PurchaseCompletedPage() {
  return <PurchasePage title={texts.completedTitle} text={texts.completedText} />;
}

/** The page to which the payment page leads if the person goes back. */
export function PurchaseCanceledPage() {
  return <PurchasePage title={texts.canceledTitle} text={texts.canceledText} />;
}

function PurchasePage({ title, text }: { title: string; text: string }) {
  return (
    <Gate title={title}>
      <p>{text}</p>
      <Link to="/" className="button">
        {texts.toConsole}
      </Link>
    </Gate>
  );
}
