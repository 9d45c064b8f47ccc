import { escapeXml, SMS_NAMESPACE } from './soap-codec';

const ACTION = `${SMS_NAMESPACE}#SendSms`;

const SCHEMA = `
    <xsd:schema targetNamespace="${SMS_NAMESPACE}" elementFormDefault="qualified">
      <xsd:element name="SmsRequest">
        <xsd:complexType>
          <xsd:sequence>
            <xsd:element name="from" type="xsd:string"/>
            <xsd:element name="to" type="xsd:string"/>
            <xsd:element name="template" type="xsd:string" minOccurs="0"/>
            <xsd:element name="message" type="xsd:string" minOccurs="0"/>
            <xsd:element name="variables" type="tns:Variables" minOccurs="0"/>
            <xsd:element name="flash" type="xsd:boolean" minOccurs="0"/>
            <xsd:element name="scheduledAt" type="xsd:string" minOccurs="0"/>
          </xsd:sequence>
        </xsd:complexType>
      </xsd:element>
      <xsd:complexType name="Variables">
        <xsd:sequence>
          <xsd:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>
        </xsd:sequence>
      </xsd:complexType>
      <xsd:element name="SmsResponse">
        <xsd:complexType>
          <xsd:sequence>
            <xsd:element name="ok" type="xsd:boolean"/>
            <xsd:element name="status" type="xsd:string" minOccurs="0"/>
            <xsd:element name="messageId" type="xsd:string" minOccurs="0"/>
            <xsd:element name="to" type="xsd:string" minOccurs="0"/>
            <xsd:element name="from" type="xsd:string" minOccurs="0"/>
            <xsd:element name="templateId" type="xsd:string" minOccurs="0"/>
            <xsd:element name="encoding" type="xsd:string" minOccurs="0"/>
            <xsd:element name="segments" type="xsd:int" minOccurs="0"/>
            <xsd:element name="creditsCost" type="xsd:long" minOccurs="0"/>
            <xsd:element name="creditsRemaining" type="xsd:long" minOccurs="0"/>
            <xsd:element name="renderedBody" type="xsd:string" minOccurs="0"/>
            <xsd:element name="createdAt" type="xsd:string" minOccurs="0"/>
            <xsd:element name="error" type="tns:Error" minOccurs="0"/>
          </xsd:sequence>
        </xsd:complexType>
      </xsd:element>
      <xsd:complexType name="Error">
        <xsd:sequence>
          <xsd:element name="code" type="xsd:string"/>
          <xsd:element name="message" type="xsd:string"/>
        </xsd:sequence>
      </xsd:complexType>
    </xsd:schema>`;

const binding = (version: 'Soap11' | 'Soap12', prefix: 'soap' | 'soap12'): string => `
  <wsdl:binding name="Sms${version}Binding" type="tns:SmsPortType">
    <${prefix}:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <wsdl:operation name="SendSms">
      <${prefix}:operation soapAction="${ACTION}" style="document"/>
      <wsdl:input><${prefix}:body use="literal"/></wsdl:input>
      <wsdl:output><${prefix}:body use="literal"/></wsdl:output>
      <wsdl:fault name="SmsFault"><${prefix}:fault name="SmsFault" use="literal"/></wsdl:fault>
    </wsdl:operation>
  </wsdl:binding>`;

/**
 * Describes the service in WSDL 1.1, document/literal, with a port for SOAP 1.1 and one for SOAP 1.2 at the same
 * address. The detail of a fault is an SmsResponse with `ok` false and an `error`.
 */
export function buildWsdl(endpointUrl: string): string {
  const address = escapeXml(endpointUrl);
  return `<?xml version="1.0" encoding="UTF-8"?>
<wsdl:definitions name="Sms" targetNamespace="${SMS_NAMESPACE}" xmlns:tns="${SMS_NAMESPACE}"
    xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <wsdl:types>${SCHEMA}
  </wsdl:types>
  <wsdl:message name="SendSmsInput"><wsdl:part name="parameters" element="tns:SmsRequest"/></wsdl:message>
  <wsdl:message name="SendSmsOutput"><wsdl:part name="parameters" element="tns:SmsResponse"/></wsdl:message>
  <wsdl:message name="SmsFault"><wsdl:part name="fault" element="tns:SmsResponse"/></wsdl:message>
  <wsdl:portType name="SmsPortType">
    <wsdl:operation name="SendSms">
      <wsdl:input message="tns:SendSmsInput"/>
      <wsdl:output message="tns:SendSmsOutput"/>
      <wsdl:fault name="SmsFault" message="tns:SmsFault"/>
    </wsdl:operation>
  </wsdl:portType>${binding('Soap11', 'soap')}${binding('Soap12', 'soap12')}
  <wsdl:service name="SmsService">
    <wsdl:port name="SmsSoap11" binding="tns:SmsSoap11Binding"><soap:address location="${address}"/></wsdl:port>
    <wsdl:port name="SmsSoap12" binding="tns:SmsSoap12Binding"><soap12:address location="${address}"/></wsdl:port>
  </wsdl:service>
</wsdl:definitions>
`;
}
