import { Failure } from './failure.js';
import { Button, Icon, type IconName } from './small.js';
import { useWork } from './useWork.js';

interface ActionProps {
  readonly name: string;
  /** Of what, where a page has several of that name: “Remove Refusals”. */
  readonly label?: string;
  readonly icon?: IconName;
  readonly isPrimary?: boolean;
  readonly work: () => Promise<unknown>;
}

/** A button that does something at once, and says why where that was refused. */
export function Action({ name, label, icon, isPrimary = false, work }: ActionProps) {
  const { busy, failure, run } = useWork();
  return (
    <>
      <Button class={isPrimary ? 'primary' : ''} aria-label={label} disabled={busy} onClick={() => void run(work)}>
        {icon !== undefined && <Icon name={icon} />} {name}
      </Button>
      <Failure error={failure} />
    </>
  );
}

/** Lets the browser keep a file, under that name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
