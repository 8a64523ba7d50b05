/** The product tree of a CSAF document: releases of a vendor, packages with their fixed versions, and what stands for versions before them. */
import { machineOfRelease } from '../machines/judgement/catalogued-release.ts';
import type { PackageFix } from '../machines/judgement/machine-fixes.ts';
import type {
  CsafBranch,
  CsafProduct,
  CsafProductTree,
  CsafRelationship,
  CsafScope,
} from './csaf-types.ts';

/** A product before a fix and with it, by their ids in the tree. */
export interface FixedProduct {
  readonly affected: string;
  readonly fixed: string;
  /** `bash 4.4.20-4.el8`, `KB5034441`: what is to be installed. */
  readonly install: string;
}

interface Branch {
  readonly category: CsafBranch['category'];
  readonly name: string;
  readonly product: CsafProduct | null;
  readonly branches: Map<string, Branch>;
}

/** Namespaces of package URLs that differ from the ID of os-release. */
const namespaces: Readonly<Record<string, string>> = { 'opensuse-leap': 'opensuse' };

export class CsafProducts {
  readonly #vendor: string;
  readonly #root = new Map<string, Branch>();
  readonly #relationships: CsafRelationship[] = [];
  readonly #pairs = new Map<string, FixedProduct>();
  readonly #purls = new Map<string, Set<string>>();
  readonly #groups = new Map<
    string,
    { readonly id: string; readonly members: readonly string[] }
  >();
  #ids = 0;

  constructor(vendor: string) {
    this.#vendor = vendor;
  }

  /** A package of a release. Fixes that differ in the architecture alone are one product. */
  package(release: string, family: 'rpm' | 'deb', fix: PackageFix): FixedProduct {
    const name = fix.module === null ? fix.name : `${fix.name} of module ${fix.module}`;
    const component = this.#once(['component', name, fix.version], () =>
      this.#versions(name, `${name} ${fix.version}`, {
        version: fix.version,
        range: `vers:${family}/<${quoted(fix.version)}`,
        before: `${name} before ${fix.version}`,
        install: `${fix.name} ${fix.version}`,
      }),
    );
    this.#addPurl(component.fixed, toPackageUrl(release, family, fix));
    return this.#once(['package', release, name, fix.version], () => {
      const within = this.#product(release);
      return {
        affected: this.#relate(
          component.affected,
          within,
          `${name} before ${fix.version}`,
          release,
        ),
        fixed: this.#relate(component.fixed, within, `${name} ${fix.version}`, release),
        install: component.install,
      };
    });
  }

  /** The id of a source package of a release, in all its versions. */
  sourcePackage(release: string, family: 'rpm' | 'deb', name: string): string {
    const component = this.#product(name);
    const source = { name, version: '', by: 'source', architecture: null, module: null } as const;
    this.#addPurl(component, toPackageUrl(release, family, source));
    return this.#relate(component, this.#product(release), name, release);
  }

  /** A product whose versions compare by number: builds of Windows, releases of macOS. */
  version(
    product: string,
    version: string,
    install: string,
    fullName = `${product} ${version}`,
  ): FixedProduct {
    return this.#once(['version', product, version], () =>
      this.#versions(product, fullName, {
        version,
        range: `<${version}`,
        before: `${product} before ${version}`,
        install,
      }),
    );
  }

  /** A product whose fix has no version: it is affected until the patch is installed. */
  patch(product: string, patch: string): FixedProduct {
    return this.#once(['patch', product, patch], () => ({
      affected: this.#product(product),
      fixed: this.#add(product, 'patch_level', patch, `${product} with ${patch}`),
      install: patch,
    }));
  }

  /** The products as a remediation names them: several by a group. */
  scope(ids: readonly string[]): CsafScope {
    const members = [...new Set(ids)];
    if (members.length < 2) return { product_ids: members };
    const key = members.join(' ');
    const known = this.#groups.get(key) ?? { id: `G${this.#groups.size + 1}`, members };
    this.#groups.set(key, known);
    return { group_ids: [known.id] };
  }

  tree(): CsafProductTree {
    const groups = [...this.#groups.values()].map(({ id, members }) => ({
      group_id: id,
      product_ids: members,
    }));
    return {
      branches: [{ branches: this.#branches(this.#root), category: 'vendor', name: this.#vendor }],
      ...(groups.length > 0 && { product_groups: groups }),
      ...(this.#relationships.length > 0 && { relationships: this.#relationships }),
    };
  }

  #once(key: readonly string[], make: () => FixedProduct): FixedProduct {
    const text = key.join('\n');
    const known = this.#pairs.get(text);
    if (known !== undefined) return known;
    const pair = make();
    this.#pairs.set(text, pair);
    return pair;
  }

  #versions(
    parent: string,
    fullName: string,
    names: {
      readonly version: string;
      readonly range: string;
      readonly before: string;
      readonly install: string;
    },
  ): FixedProduct {
    return {
      affected: this.#add(parent, 'product_version_range', names.range, names.before),
      fixed: this.#add(parent, 'product_version', names.version, fullName),
      install: names.install,
    };
  }

  /** The id of a product without a version. */
  #product(name: string): string {
    const branch = this.#branch(name);
    if (branch.product !== null) return branch.product.product_id;
    const own = { name, product_id: this.#nextId() };
    this.#root.set(name, { ...branch, product: own });
    return own.product_id;
  }

  #add(parent: string, category: CsafBranch['category'], name: string, fullName: string): string {
    const { branches } = this.#branch(parent);
    const key = `${category} ${name}`;
    const known = branches.get(key)?.product;
    if (known !== undefined && known !== null) return known.product_id;
    const product = { name: fullName, product_id: this.#nextId() };
    branches.set(key, { category, name, product, branches: new Map() });
    return product.product_id;
  }

  #branch(name: string): Branch {
    const known = this.#root.get(name);
    if (known !== undefined) return known;
    const branch: Branch = { category: 'product_name', name, product: null, branches: new Map() };
    this.#root.set(name, branch);
    return branch;
  }

  #relate(component: string, release: string, name: string, releaseName: string): string {
    const id = this.#nextId();
    this.#relationships.push({
      category: 'default_component_of',
      full_product_name: { name: `${name} of ${releaseName}`, product_id: id },
      product_reference: component,
      relates_to_product_reference: release,
    });
    return id;
  }

  #addPurl(id: string, purl: string | null): void {
    if (purl === null) return;
    const purls = this.#purls.get(id);
    if (purls === undefined) this.#purls.set(id, new Set([purl]));
    else purls.add(purl);
  }

  #nextId(): string {
    this.#ids += 1;
    return `P${this.#ids}`;
  }

  /** The schema allows a branch either a product or branches below it: a product with patches gets a branch beside them. */
  #branches(branches: ReadonlyMap<string, Branch>): readonly CsafBranch[] {
    return [...branches.values()].flatMap(({ category, name, product, branches: below }) => [
      ...(product === null ? [] : [{ category, name, product: this.#identified(product) }]),
      ...(below.size === 0 ? [] : [{ branches: this.#branches(below), category, name }]),
    ]);
  }

  #identified(product: CsafProduct): CsafProduct {
    const purls = this.#purls.get(product.product_id);
    if (purls === undefined) return product;
    return { ...product, product_identification_helper: { purls: [...purls] } };
  }
}

/**
 * Null for a release of no known distribution.
 * @param fix - An empty version stands for all.
 */
function toPackageUrl(
  release: string,
  family: 'rpm' | 'deb',
  fix: Omit<PackageFix, 'pocket'>,
): string | null {
  const machine = machineOfRelease(release);
  if (machine === null) return null;
  const [, epoch = '', version = ''] = /^(?:(\d+):)?(.*)$/s.exec(fix.version) ?? [];
  const isRpm = family === 'rpm';
  const architecture = fix.by === 'source' ? 'source' : fix.architecture;
  // In the order of the alphabet, as the canonical form has them.
  const qualifiers = [
    ...(architecture === null ? [] : [`arch=${quoted(architecture)}`]),
    `distro=${quoted(`${machine.distribution}-${machine.release}`)}`,
    ...(isRpm && epoch !== '' && epoch !== '0' ? [`epoch=${epoch}`] : []),
    ...(isRpm && fix.module !== null ? [`rpmmod=${quoted(fix.module)}`] : []),
  ];
  const namespace = namespaces[machine.distribution] ?? machine.distribution;
  const written = quoted(isRpm ? version : fix.version);
  const at = written === '' ? '' : `@${written}`;
  return `pkg:${family}/${namespace}/${quoted(fix.name)}${at}?${qualifiers.join('&')}`;
}

/** Quoted as package URLs and version ranges are: a colon stays. */
const quoted = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');
