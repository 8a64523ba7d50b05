/** Headings of package lists are known lines in every language of the tools. Words of dpkg are those of its translations. */
import { expect, test } from 'vitest';
import { readInventory } from './read-inventory.ts';
import { packageWords, readAs } from './testing/read-as.ts';

const columns = `||/ Name           Version      Architecture Description
+++-==============-============-============-=================================
ii  adduser        3.118        all          add and remove users and groups
un  mail-reader    <none>       <none>       (no description available)
`;

test.each([
  [
    'German',
    `Gewünscht=Unbekannt/Installieren/R=Entfernen/P=Vollständig Löschen/Halten
| Status=Nicht/Installiert/Config/U=Entpackt/halb konFiguriert/
         Halb installiert/Trigger erWartet/Trigger anhängig
|/ Fehler?=(kein)/R=Neuinstallation notwendig (Status, Fehler: GROSS=schlecht)
`,
  ],
  [
    'Turkish',
    `İstenen=bilinmeyen(U)/kur(I)/kaldır(R)/temizle(P)/tut(H)
| Durum=kurulu-değil(N)/kurulu(I)/yapılandırma-dosyası(C)/açılmış(U)
|/yarı-yapılandırılmış(F)/yarı-kurulu(H)/tetikleyici-bekliyor(W)
|/tetikleyici-askıda(T)/ Hata?=(yok)/tekrar-kur(R) (Durum,Hata: büyük-harf=kötü)
`,
  ],
  [
    'Russian',
    `Желаемый=неизвестно[u]/установить[i]/удалить[r]/вычистить[p]/зафиксировать[h]
| Состояние=не[n]/установлен[i]/настроен[c]/распакован[U]/частично настроен[F]/
            частично установлен[H]/trig-aWait/Trig-pend
|/ Ошибка?=(нет)/требуется переустановка[R] (верхний регистр
в полях состояния и ошибки указывает на ненормальную ситуацию)
`,
  ],
  [
    'Vietnamese',
    `Những ký tự viết HOA hay trong () là dạng viết tắt ở ba cột đầu tiên:
1. Mong muốn =(u)không rõ/càI đặt/(r)gỡ bỏ/(p)tẩy/(h)giữ lại
2. Trạng thái=(n)chưa cài/đã càI/tập tin Cấu hình/(u)đã giải nén/
              (f)nửa cấu hình/(h)nửa cài đặt/(w)đợi bẫy/(t)bẫy bị hoãn
3. Lỗi?      =(để trống)/(r)yêu-cầu-cài-đặt-lại
`,
  ],
  [
    'Chinese',
    `期望状态=未知(u)/安装(i)/删除(r)/清除(p)/保持(h)
| 状态=未安装(n)/已安装(i)/仅存配置(c)/仅解压缩(U)/配置失败(F)/不完全安装(H)/触发器等待(W)/触发器未决(T)
|/ 错误?=(无)/须重装(R) (状态，错误：大写=故障)
`,
  ],
])('reads dpkg -l with its legend in %s', (_, legend) => {
  expect(readAs('dpkg -l', legend + columns).packages.map(({ name }) => name)).toEqual(['adduser']);
});

test('reports words above the columns of dpkg -l that explain no states', () => {
  const { unreadable } = readInventory(`Packages of a/b and c/d\n${columns}`);
  expect(unreadable.map(({ line }) => line)).toEqual([1]);
});

test('reports a package that it cannot read above a legend', () => {
  const text = `ii  adduser        unknown-1        all\nA=b/c/d\n| E=f/g\n${columns}`;
  expect(readInventory(text).unreadable.map(({ line }) => line)).toEqual([1]);
});

test.each([
  'Installed Packages',
  'Installierte Pakete',
  'Paquets installés',
  'Kurulu Paketler',
  'Установленные пакеты',
  'インストール済みパッケージ',
])('reads dnf list installed below "%s"', (heading) => {
  const { packages } = readAs('rpm', `${heading}\nbash.x86_64    5.1.8-6.el9    @baseos\n`);
  expect(packages.map(packageWords)).toEqual(['bash 0 5.1.8-6.el9 x86_64']);
});

test('reports a heading of dnf list that no row follows', () => {
  const { unreadableLines } = readInventory('ID=rocky\nVERSION_ID=9.4\nInstalled Packages\n');
  expect(unreadableLines).toBe(1);
});

test('reads what dnf and yum print before the heading', () => {
  const { packages } = readAs(
    'rpm',
    `Loaded plugins: fastestmirror, langpacks
Loading mirror speeds from cached hostfile
 * base: mirror.example.org
Letzte Prüfung auf abgelaufene Metadaten: vor 0:12:34 am Mo 05 Jan 2026 10:00:00 UTC.
Installierte Pakete
bash.x86_64    5.1.8-6.el9    @baseos
`,
  );
  expect(packages).toHaveLength(1);
});

test('joins the rows of dnf list that are wrapped at the width of the screen', () => {
  const { packages } = readAs(
    'rpm',
    `Installed Packages
NetworkManager-config-server.noarch
                         1:1.40.16-1.el8              @baseos
xorg-x11-fonts-ISO8859-1-75dpi.noarch
                         7.5-19.el8                   @appstream
python3-policycoreutils.noarch 2.9-24.el8
                                                      @baseos
selinux-policy-targeted.noarch
                         3.14.3-128.el8_9.1.anolis.long
                                                      @@commandline
bash.x86_64              4.4.20-4.el8_6               @anaconda
`,
  );
  expect(packages.map(packageWords)).toEqual([
    'NetworkManager-config-server 1 1.40.16-1.el8 noarch',
    'xorg-x11-fonts-ISO8859-1-75dpi 0 7.5-19.el8 noarch',
    'python3-policycoreutils 0 2.9-24.el8 noarch',
    'selinux-policy-targeted 0 3.14.3-128.el8_9.1.anolis.long noarch',
    'bash 0 4.4.20-4.el8_6 x86_64',
  ]);
});

test.each(['NetworkManager-config-server.noarch', 'compat-libgfortran-48.x86_64'])(
  'takes no version out of the name %s',
  (name) => {
    const { machine, unreadableLines } = readInventory(`ID=rocky\nVERSION_ID=9.4\n${name}\n`);
    expect(machine.packages).toEqual([]);
    expect(unreadableLines).toBe(1);
  },
);
