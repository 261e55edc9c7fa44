import { Component, type JSX } from "preact";

interface KeptProps {
  /** What the children show. */
  by: readonly unknown[];
  children: () => JSX.Element;
}

/** Renders its children again only if one of `by` is another. Elements kept in a hook would hold the whole tree of their time. */
export class Kept extends Component<KeptProps> {
  override shouldComponentUpdate({ by }: KeptProps): boolean {
    return by.some((value, at) => !Object.is(value, this.props.by[at]));
  }

  override render({ children }: KeptProps): JSX.Element {
    return children();
  }
}
